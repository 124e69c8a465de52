"""The web Host: one running instance of one web App in one language, with data of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

from crawlers.host import HostError
from crawlers.web.install import install
from crawlers.web.instance import Instance
from crawlers.web.mirror import Mirror
from crawlers.web.pristine import Storage, pristine
from crawlers.web.records import Records
from crawlers.web.slot import Slot
from schemas.app import App

if TYPE_CHECKING:
    from crawlers.web.driver import WebDriver


class WebHost:
    """Obeys ``crawlers.host.Host``. Not thread-safe."""

    def __init__(self, app: App, lang: str, variables: Mapping[str, str] | None = None) -> None:
        """Choose App and language; nothing is started yet. ``variables`` are for the environment of the
        process that serves, beyond the recipe's; its data are made without them.
        """
        if lang not in app.languages:
            raise HostError(
                f"{app.title} cannot be crawled in {lang!r}; its recipe knows {', '.join(app.languages)}."
            )
        self.app = app
        self.lang = lang
        self._variables = variables or {}
        self._slot: Slot | None = None
        self._instance: Instance | None = None
        self._mirror: Mirror | None = None
        self._records: Records | None = None
        self._storage: Storage | None = None

    @property
    def origin(self) -> str:
        """Scheme, host and port that the App is served on."""
        return self._running.origin

    @property
    def data(self) -> Path:
        """The working data folder, for reading only."""
        return self._running.data

    @property
    def memory(self) -> int:
        """Bytes that the App's processes hold now, what they share counted in shares."""
        return self._running.memory

    def start(self) -> None:
        """Install, set up, take the pristine copy (all three once per machine), serve, wait until ready.

        Raises:
            HostError: with one sentence that says what to do.
        """
        if self._instance is not None:
            return
        tools = install(self.app)
        known, source = pristine(self.app, self.lang, tools)
        self._slot = slot = Slot.take(self.app.id, self.lang)
        try:
            instance = Instance(
                self.app, self.lang, slot, tools, time=self.app.clock, variables=self._variables
            )
            known.copy_to(slot.folder / "pristine", source, instance)
            self._mirror = Mirror(slot.folder / "pristine", instance.data)
            self._records = Records(instance.data, known.noise)
            self._storage = known.storage_at(instance.origin)
            self._instance = instance
            instance.start()
        except BaseException:
            self.stop()
            raise

    def restore(self) -> None:
        """Bring the data back to the pristine copy. An App that died is started again.

        Raises:
            HostError: it could not be started again.
        """
        instance = self._running
        if self.app.restart:
            instance.stop()
        if self._mirror is not None:
            self._mirror.restore()
        if self._records is not None:
            self._records.restored()
        if not instance.alive:
            instance.start()

    def driver(self) -> WebDriver:
        """A fresh session, logged in, at the App's entry.

        Raises:
            HostError: the App has died; ``restore`` brings it back.
        """
        from crawlers.web.browser import session  # noqa: PLC0415 - a Host can run without a browser

        self._running.check()
        return session(
            app=self.app,
            lang=self.lang,
            origin=self.origin,
            storage=self._storage,
            records=self._records,
        )

    def routes(self) -> str:
        """What the recipe's command prints that lists the App's own routes; empty where it has none."""
        return self._running.run(self.app.routes) if self.app.routes else ""

    def stop(self) -> None:
        """Stop the App's whole process tree and remove its working data. Safe to call twice."""
        if self._instance is not None:
            self._instance.stop()
        if self._slot is not None:
            self._slot.release()
        self._instance = self._slot = self._mirror = self._records = None

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop."""
        self.stop()

    @property
    def _running(self) -> Instance:
        if self._instance is None:
            raise HostError(f"{self.app.title} is not running; start its host first.")
        return self._instance

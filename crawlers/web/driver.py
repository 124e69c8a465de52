"""WebDriver: the Driver contract on the web, callable from any thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, cast

from pydantic import JsonValue

from crawlers.web.kind import Kind
from crawlers.web.records import Records
from crawlers.web.session import Session
from schemas.action import Action
from schemas.effect import Evidence
from schemas.screen import State

if TYPE_CHECKING:
    from playwright.async_api import StorageState

    from crawlers.web.browser import Browser


class WebDriver:
    """One live session of one App in one language (see ``crawlers.driver.Driver``).

    Open, Click, Hover, Type, Select, Check, Upload, Press, Scroll, Back, Wait, Respond and Submit are
    performed; Finish does nothing. A new window is followed, a closed one uncovers the last. A native dialog
    stays open: ``observe`` shows it before the page as it was, and only Respond (or Wait) is possible then.
    """

    def __init__(self, browser: Browser, kind: Kind, session: Session, records: Records | None) -> None:
        """Use ``crawlers.web.browser.session``."""
        self._records = records
        self._browser = browser
        self._kind = kind
        self._session = session
        self._open = True

    @classmethod
    def begin(
        cls,
        browser: Browser,
        kind: Kind,
        storage: dict[str, JsonValue] | None,
        records: Records | None = None,
    ) -> Self:
        """A session without a past, at the App's entry. ``records`` is where the App's server keeps its data.

        Raises:
            HostError: no browser can be started.
        """
        session = browser.run(browser.begin(kind, cast("StorageState | None", storage)))
        return cls(browser, kind, session, records)

    def observe(self) -> State:
        """The present screen, without an image."""
        return self._browser.run(self._session.observe())

    def perform(self, action: Action) -> Evidence:
        """Do one Action and wait until the screen is stable.

        Raises:
            DriverError: when it could not be done; nothing further was done then.
        """
        evidence = self._browser.run(self._session.perform(action))
        if self._records is None:
            return evidence
        return evidence.model_copy(update={"data": self._records.changes()})

    def screenshot(self) -> bytes:
        """The viewport as PNG, of the size that ``State.width`` and ``State.height`` give."""
        return self._browser.run(self._session.screenshot())

    def storage_state(self) -> dict[str, JsonValue]:
        """Cookies and local storage of the session, to begin later ones with."""
        return cast("dict[str, JsonValue]", self._browser.run(self._session.storage_state()))

    def close(self) -> None:
        """End the session. Safe to call twice and after a crash."""
        if self._open:
            self._open = False
            self._browser.run(self._browser.end(self._kind, self._session))

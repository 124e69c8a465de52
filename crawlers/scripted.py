"""The shipped test double: a Host and a Driver over a small App in memory, obeying both contracts.

Everything above the Driver (crawl, mine, compose, prove, the whole flow) can be tested on it without a
browser. What a real platform does, it does too: elements that are gone are missing, dialogs block, forms
are answered with redirects, and data outlives sessions until it is restored.
"""

from __future__ import annotations

from typing import Self

from crawlers.host import HostError
from crawlers.scripted_driver import ScriptedDriver
from crawlers.scripted_pages import ACCESS_CODE, Data
from schemas.app import App, Locale, Platform

__all__ = ["ScriptedDriver", "ScriptedHost", "scripted_app"]


def scripted_app() -> App:
    """The recipe of the App in memory."""
    return App(
        name="scripted",
        title="Small list",
        platform=Platform.WEB,
        licence="Apache-2.0",
        version="1",
        category="productivity",
        description="A small shopping list in memory.",
        serve=("scripted",),
        locale=Locale(via="browser", codes={"en": "en", "zh-Hans": "zh"}),
        restart=False,
        secrets={"code": ACCESS_CODE},
    )


class ScriptedHost:
    """The App's server: its data, and a way back to the pristine copy."""

    def __init__(self, app: App, lang: str) -> None:
        """A stopped host."""
        self._app = app
        self._lang = lang
        self._data: Data | None = None

    @property
    def app(self) -> App:
        """The recipe."""
        return self._app

    @property
    def lang(self) -> str:
        """BCP-47 tag of the language that the App speaks."""
        return self._lang

    @property
    def data(self) -> Data:
        """What the App holds now.

        Raises:
            HostError: when it was not started.
        """
        if self._data is None:
            raise HostError("The scripted app is not running: start the host first.")
        return self._data

    @property
    def memory(self) -> int:
        """No process of its own."""
        return 0

    def start(self) -> None:
        """Serve the pristine data."""
        self._data = Data()

    def restore(self) -> None:
        """Back to the pristine data."""
        self._data = Data()

    def driver(self) -> ScriptedDriver:
        """A fresh, logged in session at the entry."""
        _ = self.data
        return ScriptedDriver(self._app, self._lang, lambda: self.data)

    def stop(self) -> None:
        """Forget the data."""
        self._data = None

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop."""
        self.stop()

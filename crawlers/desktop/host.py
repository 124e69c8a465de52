"""The desktop Host: one program in one language, or several beside each other, with a screen, buses and a
home folder of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Self

from crawlers import clock
from crawlers.desktop.driver import DesktopDriver
from crawlers.desktop.home import furnish
from crawlers.desktop.room import Room
from crawlers.desktop.screen import Screen
from crawlers.desktop.session import Session
from crawlers.desktop.setup import need
from crawlers.host import HostError
from schemas.app import App


class DesktopHost:
    """Obeys ``crawlers.host.Host``. Not thread-safe; one Driver at a time."""

    def __init__(self, app: App, lang: str) -> None:
        """Choose App and language; nothing is started yet.

        Raises:
            HostError: the recipe does not know the language.
        """
        if lang not in app.languages:
            raise HostError(
                f"{app.title} cannot be crawled in {lang!r}; its recipe knows {', '.join(app.languages)}."
            )
        self.app = app
        self.lang = lang
        self._room: Room | None = None
        self._screen: Screen | None = None
        self._driver: DesktopDriver | None = None

    @property
    def home(self) -> Path:
        """The program's home folder, for reading only.

        Raises:
            HostError: nothing is running.
        """
        return self._running.folder / "home"

    @property
    def memory(self) -> int:
        """Bytes that the program's processes hold now; 0 between two sessions."""
        return self._driver.memory if self._driver is not None else 0

    def start(self) -> None:
        """Install what is missing, start the screen, and furnish the home folder.

        Raises:
            HostError: with one sentence that says what to do.
        """
        if self._room is not None:
            return
        need(self.app, [self.lang])
        desktop = self.app.desktop
        if desktop is None:
            raise HostError(f"The recipe of {self.app.title} has no table desktop; add one.")
        self._room = Room.take(self.app.id, self.lang)
        try:
            self._screen = Screen(
                self._room.folder,
                width=desktop.width,
                height=desktop.height,
                blended=any(program.toolkit == "gtk4" for program in desktop.programs),
                shared=bool(desktop.also),
            )
            self._screen.start()
            furnish(self.home, self.app)
        except BaseException:
            self.stop()
            raise

    def restore(self) -> None:
        """End the program and furnish its home folder anew. A screen that died is started again.

        Raises:
            HostError: nothing is running, or the screen cannot be started again.
        """
        self._end()
        furnish(self.home, self.app)
        if self._screen is not None and not self._screen.alive:
            self._screen.stop()
            self._screen.start()

    def driver(self) -> DesktopDriver:
        """The program, launched and ready, on the home folder as it is. An earlier session is ended.

        Raises:
            HostError: it cannot be started.
        """
        room = self._running
        self._end()
        if self._screen is None:
            raise HostError(f"{self.app.title} is not running; start its host first.")
        session = Session(self.app, self.lang, self._screen, home=self.home, runtime=room.runtime)
        self._driver = DesktopDriver(session, self.lang, self._left)
        return self._driver

    def stop(self) -> None:
        """Stop program and screen and remove the working folder. Safe to call twice."""
        self._end()
        if self._screen is not None:
            self._screen.stop()
        if self._room is not None:
            self._room.release()
            clock.sweep()
        self._screen = self._room = None

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop."""
        self.stop()

    @property
    def _running(self) -> Room:
        if self._room is None:
            raise HostError(f"{self.app.title} is not running; start its host first.")
        return self._room

    def _end(self) -> None:
        if self._driver is not None:
            self._driver.close()

    def _left(self) -> None:
        self._driver = None

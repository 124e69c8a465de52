"""Windows are the tabs of a session, as a stack: a new one comes on top, a closed one uncovers the last."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection

from playwright.async_api import Error, Page

from crawlers.driver import DriverError
from crawlers.web.tab import Tab

WINDOW_S = 2.0
"""Longest wait for a window that was asked for."""
_EMPTY = frozenset({"", ":", "about:blank"})
_ERROR_PAGE = "chrome-error:"


class Windows:
    """The stack. Lives on the browser's loop."""

    def __init__(self, origins: Collection[str]) -> None:
        """No window yet."""
        self._origins = origins
        self._tabs: list[Tab] = []
        self._arriving: list[asyncio.Task[Tab]] = []
        self._arrived = asyncio.Event()

    @property
    def top(self) -> Tab:
        """The window that is seen and acted on.

        Raises:
            DriverError: ``crashed``: all windows are closed.
        """
        if not self._tabs:
            raise DriverError("crashed", "All windows are closed; begin a new session.")
        return self._tabs[-1]

    @property
    def all(self) -> tuple[Tab, ...]:
        """From the oldest to the one on top."""
        return tuple(self._tabs)

    @property
    def arriving(self) -> bool:
        """Whether a new window has come up and not been taken over yet."""
        return bool(self._arriving)

    def arrive(self, page: Page) -> None:
        """A window has come up."""
        page.on("close", self._closed)
        self._arriving.append(asyncio.ensure_future(Tab.of(page, self._origins)))
        self._arrived.set()

    async def adopt(self) -> None:
        """Take over the windows that came up. Those that close at once (downloads) or show only that
        they may not be opened are none.
        """
        arriving, self._arriving = self._arriving, []
        self._arrived.clear()
        for task in arriving:
            try:
                tab = await task
            except Error:  # it closed while we reached for it
                continue
            if tab.page.is_closed():
                continue
            if tab.page.url.startswith(_ERROR_PAGE) and self._tabs:
                await tab.close()
                continue
            self._tabs.append(tab)

    async def expect(self) -> None:
        """Wait for a window that was asked for."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._arrived.wait(), WINDOW_S)

    async def drop_blank(self, known: tuple[Tab, ...]) -> None:
        """Close windows that came up since ``known`` was so and are empty: they were for a file."""
        for tab in self.all:
            if tab not in known and tab.page.url in _EMPTY:
                await tab.close()

    async def strip(self) -> bool:
        """Close all windows but the oldest; False where that one is not there, has crashed or is held up
        by a dialog.
        """
        await self.adopt()
        for tab in self._tabs[1:]:
            await tab.close()
        return len(self._tabs) == 1 and self.top.asked is None and not self.top.crashed

    def forget(self) -> None:
        """Give up all work on windows; the context is about to close."""
        for task in self._arriving:
            task.cancel()
        for tab in self._tabs:
            tab.forget()

    def _closed(self, page: Page) -> None:
        self._tabs = [tab for tab in self._tabs if tab.page is not page]

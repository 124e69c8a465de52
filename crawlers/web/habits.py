"""Habits: what a page asks of its server on its own, as it is loaded and every now and then: that somebody is
there, what is new, how often it was seen. It is no doing of whoever followed the link to that page.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress

from playwright.async_api import Error, Frame, Page, Request

_BEACON = "ping"
"""Resource type of what a page sends last of all, when the next one is there already."""


class Habits:
    """Tells such requests from those that an Action set off. Lives on the browser's loop."""

    def __init__(self) -> None:
        """No page was loaded yet."""
        self._coming: set[Frame] = set()
        """Frames that asked for a document and do not show it yet."""
        self._fresh: set[Frame] = set()
        """Frames that show a document which nobody did anything to."""
        self._known: dict[Frame, set[Hashable]] = {}
        """What the document of a frame asked for while it was fresh."""

    def step(self) -> None:
        """Somebody does something: what is asked from now on may be because of that."""
        self._coming.clear()
        self._fresh.clear()

    def forget(self) -> None:
        """A new session begins."""
        self.step()
        self._known.clear()

    def opened(self, page: Page) -> None:
        """A window came up."""
        self._show(page.main_frame)
        page.on("framenavigated", self._arrived)

    def is_one(self, request: Request) -> bool:
        """Whether a request that has just left is asked out of habit."""
        frame = _frame(request)
        if frame is None or request.resource_type == _BEACON:
            return False
        if request.is_navigation_request():
            self._coming.add(frame)
            return False
        asked = (request.method, request.url, request.post_data_buffer)
        known = self._known.setdefault(frame, set())
        if frame in self._fresh:
            known.add(asked)
        return asked in known

    def _arrived(self, frame: Frame) -> None:
        # Scripts change the address without loading anything, too.
        if frame in self._coming:
            self._coming.discard(frame)
            self._show(frame)

    def _show(self, frame: Frame) -> None:
        self._fresh.add(frame)
        self._known[frame] = set()


def _frame(request: Request) -> Frame | None:
    with suppress(Error):  # its window is not there yet, or a worker asked
        return request.frame
    return None

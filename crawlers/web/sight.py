"""Sight is what was last seen of a session: the page on top as it was read, and its picture."""

from __future__ import annotations

from collections.abc import Mapping

from crawlers.driver import DriverError
from crawlers.web.frames import walk
from crawlers.web.snapshot import Capture, read
from crawlers.web.tab import Tab
from crawlers.web.traffic import Mask
from schemas.action import Target

_EMPTY_PAGE = "about:blank"
_ERROR_PAGE = "chrome-error:"


class Sight:
    """The last capture and picture. Behind an open dialog neither can be taken, so both are taken before
    anything is pressed that may bring one up.
    """

    def __init__(self, mask: Mask, *, width: int, height: int, scale: float) -> None:
        """Nothing seen yet. Sizes are CSS pixels of the viewport; ``scale`` is image pixels per CSS pixel."""
        self.mask = mask
        self._scale = scale
        self._nothing = Capture(width=round(width * scale), height=round(height * scale), scale=scale)
        self._capture = self._nothing
        self._of: Tab | None = None
        self._fresh = False
        self._trace = ""
        self._picture: bytes | None = None
        self._before: bytes | None = None

    async def again(self, tab: Tab) -> Capture | None:
        """What was read last, where the page has not changed since.

        Raises:
            DialogOpen, DocumentGone, DriverError: as ``look``.
        """
        known = self._fresh and self._of is tab and self._trace
        return self._capture if known and await tab.trace() == self._trace else None

    async def look(self, tab: Tab, *, trace: str = "", consent: str = "") -> Capture | None:
        """Read the page. ``trace`` is what it called its look before (see ``Tab.trace``). None where a banner
        that asks for ``consent`` was answered instead.

        Raises:
            DialogOpen: a dialog came up meanwhile.
            DocumentGone: the page was replaced meanwhile.
            DriverError: it cannot be read.
        """
        if tab.page.url.startswith(_ERROR_PAGE):
            raise DriverError("crashed", "The App's server does not answer; restore the App.")
        page = await walk(tab.pane, consent=consent)
        if page is None:
            return None
        self._capture, self._of, self._fresh = read(page, self.mask.values), tab, True
        self._trace = trace
        self.mask = self.mask.naming(each.field for each in self._capture.elements if each.password)
        return self._capture

    def behind(self, tab: Tab) -> Capture:
        """What was read before the dialog came up; nothing, if that was another page."""
        same = self._of is tab and _bare(self._capture.url) == _bare(tab.page.url)
        return self._capture if same else self._nothing

    def numbers(self, tab: Tab) -> Mapping[str, int]:
        """Keys of the last capture → numbers of its nodes in the page, as long as it is of this window."""
        return self._capture.numbers if self._of is tab else {}

    async def picture(self, tab: Tab, trace: str = "") -> bytes:
        """The viewport as PNG; behind a dialog, as it was before. ``trace``: see ``Tab.screenshot``.

        Raises:
            DialogOpen: a dialog came up meanwhile.
            DocumentGone: the window was closed meanwhile.
            DriverError: there is none.
        """
        if tab.asked is None:
            self._picture = await tab.screenshot(self._scale, trace)
            return self._picture
        if self._before is None:
            raise DriverError("timeout", "A dialog came up before a picture of the page could be taken.")
        return self._before

    async def brace(self, tab: Tab, target: Target | None, *, guarded: bool) -> None:
        """Get ready for a dialog: something is about to be pressed. A plain link of a page that does not
        mind being left brings none up.
        """
        if tab.asked is not None or tab.page.url == _EMPTY_PAGE:
            return
        if not self._fresh:
            await self.look(tab)
        plain = target is not None and target.key in self._capture.plain
        if self._picture is None and (guarded or not plain):
            await self.picture(tab)

    def begin(self, *, answers: bool) -> None:
        """Something is about to be done. What an answer to a dialog brings up, it brings up over the same."""
        if not answers:
            self._before = self._picture
        self._picture = None
        self._fresh = False


def _bare(url: str) -> str:
    return url.partition("#")[0]

"""Settling: an action is over when nothing that it set off is still moving."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from functools import partial
from typing import Any

from crawlers.web.pane import DocumentGone
from crawlers.web.patience import now
from crawlers.web.recorder import Recorder
from crawlers.web.storage import Kept
from crawlers.web.tab import QUIET_MS, DialogOpen, Tab
from crawlers.web.windows import Windows

CAP_S = 3.0
"""Longest wait for a page to become stable."""
LOAD_S = 20.0
"""Longest wait for a document, or a file, that the App still prepares; for the parts of a document, too."""
STALL_S = 1.0
"""A document none of whose parts has come for so long will not be loaded soon."""
SHORTEST_S = 0.05
PAUSE_S = 0.005

Report = dict[str, Any]
"""What the page's own script says of itself (see ``Tab.rest``)."""


@dataclass(frozen=True)
class Stillness:
    """How the wait ended, and what the page had to report then."""

    calm: bool = True
    """False when the cap was reached first."""
    kept: Kept | None = None
    """None where the page could not be asked."""
    guarded: bool = False
    """Whether the page may ask before it is left."""
    taken: bool = False
    """Whether a script of the page took the last click for itself."""
    trace: str = ""
    """What the page calls its present look; empty where it cannot tell (see ``Tab.trace``)."""


async def settle(windows: Windows, recorder: Recorder, *, pointed: bool = False) -> Stillness:
    """Wait until no answer is outstanding, no timer is due soon and no mutation was seen for a moment, in
    the window on top. New windows are taken over meanwhile. Where nothing happens it takes one painted frame.

    Where something was ``pointed`` at and a new document came of it, or it moved away from under the pointer,
    the pointer is moved out of the page.

    An open dialog ends the wait: what stands still behind it cannot be told.

    Raises:
        DriverError: the window has crashed or does not answer.
    """
    wait = _Wait(windows, recorder, pointed=pointed)
    while True:
        stillness = await wait.look()
        if stillness is not None:
            return stillness


class _Wait:
    """One wait under way."""

    def __init__(self, windows: Windows, recorder: Recorder, *, pointed: bool) -> None:
        self._windows = windows
        self._recorder = recorder
        self._pointed = pointed
        self._begun = self._first = now()
        """When the cap began to run, and when all began."""
        self._coming = False
        """Whether the parts of a document were still coming."""

    async def look(self) -> Stillness | None:
        """How it ended; None where there is reason to look again."""
        await self._windows.adopt()
        tab, patience = self._windows.top, self._recorder.patience
        if tab.asked is not None:
            return Stillness()
        left = max(self._begun + CAP_S - now(), SHORTEST_S)
        await patience.idle(left, partial(_asks, tab))
        if patience.loading and self._may_load:
            return None
        mark = self._recorder.started
        try:
            report = await self._rest(tab, left)
        except DialogOpen:
            return Stillness()
        except DocumentGone:
            await asyncio.sleep(PAUSE_S)
            return Stillness(calm=False) if self._over else None
        if await self._strays(tab, report) or self._comes(report):
            return None
        # What was asked meanwhile has been answered for as long as the page has stood still.
        quiet = self._recorder.started == mark or patience.silent_s * 1000 >= QUIET_MS
        still = quiet and not patience.busy and not self._windows.arriving
        calm = still and not patience.unsure and report.get("calm", True)
        return _told(report, calm=calm) if still or self._over else None

    @property
    def _over(self) -> bool:
        return now() > self._begun + CAP_S

    @property
    def _may_load(self) -> bool:
        return now() < self._first + LOAD_S

    async def _rest(self, tab: Tab, seconds: float) -> Report:
        rest = tab.rest(quiet_ms=QUIET_MS, cap_s=seconds)
        if not (self._pointed and self._recorder.turned):
            return await rest
        report: Report = (await asyncio.gather(rest, tab.park()))[0]
        return report

    async def _strays(self, tab: Tab, report: Report) -> bool:
        """Whether what was pointed at has moved away; the pointer is taken away, too."""
        strays = self._pointed and report.get("strayed", False)
        if strays:
            with contextlib.suppress(DialogOpen, DocumentGone):
                await tab.park()
        return strays

    def _comes(self, report: Report) -> bool:
        """Whether parts of the document still come; the cap runs from when the last one has."""
        before = self._coming
        here = report.get("loaded", True)
        self._coming = not here and self._recorder.patience.silent_s < STALL_S and self._may_load
        if self._coming or before:
            self._begun = now()
        return self._coming


def _told(report: Report, *, calm: bool) -> Stillness:
    return Stillness(
        calm=calm,
        kept=Kept.of(report),
        guarded=report.get("guarded", False),
        taken=report.get("taken", False),
        trace=report.get("trace", ""),
    )


def _asks(tab: Tab) -> bool:
    return tab.asked is not None

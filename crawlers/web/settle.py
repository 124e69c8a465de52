"""Settling: an action is over when nothing that it set off is still moving."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from functools import partial

from crawlers.web.pane import DocumentGone
from crawlers.web.recorder import Recorder
from crawlers.web.storage import Stored
from crawlers.web.tab import QUIET_MS, DialogOpen, Tab
from crawlers.web.windows import Windows

CAP_S = 3.0
"""Longest wait for a page to become stable."""
LOAD_S = 20.0
"""Longest wait for a document, or a file, that the App is still preparing."""
SHORTEST_S = 0.05
PAUSE_S = 0.005


@dataclass(frozen=True)
class Stillness:
    """How the wait ended, and what the page had to report then."""

    calm: bool = True
    """False when the cap was reached first."""
    stored: Stored | None = None
    """None where the page could not be asked."""
    indexed: tuple[str, ...] = ()
    """Stores of IndexedDB that were written to."""
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
    clock = asyncio.get_running_loop().time
    begun = clock()
    patience = recorder.patience
    while True:
        await windows.adopt()
        tab = windows.top
        if tab.asked is not None:
            return Stillness()
        left = max(begun + CAP_S - clock(), SHORTEST_S)
        await patience.idle(left, partial(_asks, tab))
        if patience.loading and clock() < begun + LOAD_S:
            continue
        mark = recorder.started
        try:
            report, *_ = await asyncio.gather(
                tab.rest(quiet_ms=QUIET_MS, cap_s=left),
                *([tab.park()] if pointed and recorder.turned else []),
            )
        except DialogOpen:
            return Stillness()
        except DocumentGone:
            if clock() > begun + CAP_S:
                return Stillness(calm=False)
            await asyncio.sleep(PAUSE_S)
            continue
        if pointed and report.get("strayed"):
            with contextlib.suppress(DialogOpen, DocumentGone):
                await tab.park()
            continue
        still = recorder.started == mark and not patience.busy and not windows.arriving
        if still or clock() > begun + CAP_S:
            return Stillness(
                calm=still and not patience.unsure and report.get("calm", True),
                stored=Stored.of(report),
                indexed=tuple(report.get("indexed", ())),
                guarded=report.get("guarded", False),
                taken=report.get("taken", False),
                trace=report.get("trace", ""),
            )


def _asks(tab: Tab) -> bool:
    return tab.asked is not None

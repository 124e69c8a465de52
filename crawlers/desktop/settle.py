"""Settling: an action is over when the program is back at its main loop, has told nothing new for a moment,
none of its threads works, and the picture stands still. On a machine that is busy itself, a key that was
pressed may wait longer for its turn than the picture stands still, and a file that is saved by a thread, too.
"""

from __future__ import annotations

import time

from crawlers.desktop import loop
from crawlers.desktop.link import ROOT, CallError
from crawlers.desktop.session import Session
from crawlers.processes import busy

QUIET_S = 0.08
"""A program that stirred is stable after this long without stirring."""
CHOOSING_S = 3.0
"""Longest wait for a file chooser to close that was answered."""
WORKING_S = 1.5
"""A program that works without showing anything for so long, or for ever, is taken to be done."""
CAP_S = 3.0
"""Longest wait for it to become stable."""
PAUSE_S = 0.02
HANGS_S = 12.0
"""A program that has not come back from what was done to it after this long does not come back."""


def settle(session: Session) -> bool:
    """Wait until nothing moves; False when the cap was reached first.

    Raises:
        DriverError: the program does not answer, or is gone other than by ending in good order.
    """
    session.screen.display.sync()
    began = time.monotonic()
    _ping(session)
    pids = session.pids
    last: bytes | None = None
    while True:
        quiet = time.monotonic() - max(session.link.stirred, began)
        if quiet < QUIET_S:
            time.sleep(QUIET_S - quiet)
        _ping(session)
        pixels, working = session.screen.pixels(), busy(pids)
        now = time.monotonic()
        still = pixels == last and now - session.link.stirred >= QUIET_S
        if still and not (working and now - began < WORKING_S):
            return True
        if now - began > CAP_S:
            return False
        last = pixels
        time.sleep(PAUSE_S)


def settle_choice(session: Session, windows: frozenset[int]) -> bool:
    """Wait until these are no longer the windows that there are, and then until nothing moves. GTK lets half
    a second pass, in which nothing shows, between an answer in a file chooser and what is done with it.

    Raises:
        DriverError: as ``settle``.
    """
    deadline = time.monotonic() + CHOOSING_S
    while windows == session.screen.numbers() and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
    return settle(session)


def _ping(session: Session) -> None:
    """A program answers when it has dealt with what was done to it before."""
    try:
        loop.run(_ask(session))
    except CallError as error:
        raise session.failure(error) from error


async def _ask(session: Session) -> None:
    for name in await session.link.programs():
        try:
            await session.link.get(name, ROOT, "Accessible", "ChildCount", HANGS_S)
        except CallError as error:
            if error.kind == "late":
                raise

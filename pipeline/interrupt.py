"""SIGTERM and SIGINT end a command in order: what is finished is kept, what was started is stopped."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from pipeline.errors import Interrupted

SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def stoppable() -> Iterator[None]:
    """Within, the first SIGTERM or SIGINT unwinds the main thread as a KeyboardInterrupt, which no stage
    mistakes for an item's error; further ones are ignored so that hosts, browser and model are stopped
    undisturbed.

    Raises:
        Interrupted: when a signal came.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only
        return
    came: list[int] = []
    before = {number: signal.signal(number, _once(came)) for number in SIGNALS}
    try:
        yield
    except BaseException:
        if came:  # Beam, for one, turns the KeyboardInterrupt into an error of its own
            raise Interrupted(
                "stopped; finished work is kept, and the same command goes on from there"
            ) from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _once(came: list[int]) -> Callable[[int, FrameType | None], None]:
    def stop(number: int, _frame: FrameType | None) -> None:
        for other in SIGNALS:
            signal.signal(other, signal.SIG_IGN)
        came.append(number)
        raise KeyboardInterrupt

    return stop

"""Lanes run side by side, and one that fails does not leave the others running."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from pipeline.errors import Interrupted
from pipeline.interrupt import stoppable
from pipeline.lanes import side_by_side

FOREVER = 60_000


def busy(started: threading.Barrier, ended: list[str]) -> None:
    try:
        started.wait()
        for _ in range(FOREVER):
            time.sleep(0.01)
        ended.append("worked to the end")
    except KeyboardInterrupt:
        ended.append("interrupted")
        raise


def test_lanes_run_at_the_same_time() -> None:
    together = threading.Barrier(2, timeout=30)
    side_by_side([together.wait, together.wait], workers=2)


def test_the_first_error_ends_the_others_and_is_told() -> None:
    started, ended = threading.Barrier(2, timeout=30), list[str]()

    def fail() -> None:
        started.wait()
        raise OSError("no more room")

    with pytest.raises(OSError, match="no more room"):
        side_by_side([lambda: busy(started, ended), fail], workers=2)
    assert ended == ["interrupted"]


def test_a_signal_ends_all_lanes() -> None:
    started, ended = threading.Barrier(3, timeout=30), list[str]()

    def interrupt() -> None:
        started.wait()
        os.kill(os.getpid(), signal.SIGTERM)

    def work() -> None:
        with stoppable():
            lanes = [lambda: busy(started, ended), lambda: busy(started, ended)]
            side_by_side([*lanes, interrupt], workers=3)

    with pytest.raises(Interrupted):
        work()
    assert ended == ["interrupted", "interrupted"]


def test_what_had_to_wait_is_not_begun_after_an_error() -> None:
    begun: list[int] = []

    def fail() -> None:
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it says nothing
        side_by_side([fail, *(lambda place=place: begun.append(place) for place in range(50))], workers=1)
    assert len(begun) < 50

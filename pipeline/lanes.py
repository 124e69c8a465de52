"""Lanes: independent pieces of work side by side in threads. Apps and browser compute in processes of
their own, so two lanes keep two cores busy.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

Work = Callable[[], object]


def side_by_side(works: Sequence[Work], workers: int) -> None:
    """Do all of it, at most ``workers`` at a time. The first error, or a signal, ends the others too: they
    unwind as if interrupted, and nothing half done is taken for done.

    Raises:
        Exception: the first that a piece of work raised.
    """
    lanes = _Lanes()
    with ThreadPoolExecutor(workers, thread_name_prefix="lane") as pool:
        try:
            futures = [pool.submit(lanes.run, work) for work in works]
            for future in as_completed(futures):
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            lanes.interrupt()
            raise


class _Lanes:
    """The threads that are at work."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._busy: set[int] = set()
        self._over = False

    def run(self, work: Work) -> None:
        own = threading.get_ident()
        with self._guard:
            if self._over:
                return
            self._busy.add(own)
        try:
            work()
        finally:
            with self._guard:
                self._busy.discard(own)

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in each of them, at its next step. What it waits for is short."""
        with self._guard:
            self._over = True
            for thread in self._busy:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt)
                )

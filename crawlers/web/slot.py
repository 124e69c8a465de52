"""A Slot is a port and a working folder, both held by a lock for as long as a Host lives.

The port is chosen by what runs on it, so that links an App displays, and paths it writes down, are the
same on every run. The lock frees itself when its holder dies; what a killed holder left in the folder is
removed by the next one.
"""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path
from typing import IO

from crawlers import cache
from crawlers.host import HostError
from crawlers.processes import free_port
from schemas.record import digest

FIRST_PORT = 20_000
PORTS = 10_000
"""Below the range that the kernel hands out by itself, which starts at 32768."""
TRIES = 50


class Slot:
    """``port`` on loopback, and ``folder``, which is empty at first."""

    def __init__(self, port: int, folder: Path, lock: IO[str]) -> None:
        """Use ``Slot.take``."""
        self.port = port
        self.folder = folder
        self._lock = lock

    @classmethod
    def take(cls, *names: str) -> Slot:
        """The first free slot at or after the one that the names lead to.

        Raises:
            HostError: when all that were tried are taken.
        """
        slots = cache.root() / "slots"
        slots.mkdir(parents=True, exist_ok=True)
        start = int(digest("sl", *names).removeprefix("sl_"), 16) % PORTS
        for step in range(TRIES):
            port = FIRST_PORT + (start + step) % PORTS
            lock = _try_lock(slots / f"{port}.lock")
            if lock is None:
                continue
            if free_port(port) == port:
                folder = slots / str(port)
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                return cls(port, folder, lock)
            lock.close()
        raise HostError(
            f"{TRIES} ports from {FIRST_PORT + start} on are taken; end other runs and try again."
        )

    def release(self) -> None:
        """Remove the folder and free the slot. Safe to call twice."""
        if not self._lock.closed:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._lock.close()


def _try_lock(path: Path) -> IO[str] | None:
    lock = path.open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock

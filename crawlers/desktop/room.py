"""A Room is a working folder held by a lock for as long as a Host lives, the same on every run, because
programs display where their files are.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from pathlib import Path
from typing import IO

from crawlers import cache
from crawlers.host import HostError
from schemas.record import digest

TRIES = 50
_RUNTIME = "runtime"


class Room:
    """``folder`` is empty at first; ``runtime`` is a short path, as sockets need one."""

    def __init__(self, folder: Path, lock: IO[str]) -> None:
        """Use ``Room.take``."""
        self.folder = folder
        self.runtime = Path(tempfile.mkdtemp(prefix="desktop-"))
        # So that whoever comes after a holder that was killed can clear it away.
        (folder / _RUNTIME).write_text(str(self.runtime), encoding="utf-8")
        self._lock = lock

    @classmethod
    def take(cls, *names: str) -> Room:
        """The first free room for what is called so.

        Raises:
            HostError: when all that were tried are taken.
        """
        rooms = cache.root() / "rooms"
        rooms.mkdir(parents=True, exist_ok=True)
        stem = digest("ro", *names).removeprefix("ro_")[:8]
        for number in range(TRIES):
            folder = rooms / f"{stem}-{number}"
            lock = folder.with_suffix(".lock").open("a")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                continue
            _clear(folder)
            folder.mkdir()
            return cls(folder, lock)
        raise HostError(f"{TRIES} working folders below {rooms} are in use; end other runs and try again.")

    def release(self) -> None:
        """Remove the folders and free the room. Safe to call twice."""
        if not self._lock.closed:
            _clear(self.folder)
            self._lock.close()


def _clear(folder: Path) -> None:
    """Remove a working folder and the runtime folder that it names."""
    note = folder / _RUNTIME
    if note.is_file():
        shutil.rmtree(note.read_text(encoding="utf-8"), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)

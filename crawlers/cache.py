"""What is made once and kept between runs: installed programs and pristine data, each in a folder that is
complete or absent.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

DONE = ".complete"
"""Written last into a finished folder, so that whatever was killed half-way is made again."""


def root() -> Path:
    """``$GROUNDSMITH_CACHE``, else ``groundsmith`` in the user's cache folder."""
    chosen = os.environ.get("GROUNDSMITH_CACHE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser().resolve() / "groundsmith"


def complete(folder: Path) -> bool:
    """Whether it was built to its end."""
    return (folder / DONE).exists()


def once(folder: Path, build: Callable[[Path], None]) -> Path:
    """The folder, built now if it is not complete. Other threads and processes wait for the builder."""
    with locked(folder.parent / f"{folder.name}.lock"):
        if not complete(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            build(folder)
            (folder / DONE).touch()
    return folder


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file; it frees itself when its holder dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

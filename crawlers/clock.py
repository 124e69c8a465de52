"""The clock that an App's processes see, set by libfaketime.

It stands still but for a microsecond per look, so that screens are the same on every run while events still
have an order and loops that wait for the next microsecond end. Time-outs and the times of files stay real.
Known limit: ``time.sleep`` of Python 3.11 and later fails under libfaketime 0.9.10; a recipe whose App calls
it sets ``clock = ""``.
"""

from __future__ import annotations

import contextlib
import logging
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

log = logging.getLogger(__name__)

FORMAT = "%Y-%m-%d %H:%M:%S"
HEAD_START = timedelta(minutes=1)
"""How much earlier than the crawl the sample data are made, so that they are older than what it does."""
LIBRARIES = (
    "lib/*/faketime/libfaketime.so.1",
    "lib/faketime/libfaketime.so.1",
    "lib64/faketime/libfaketime.so.1",
)
"""Where distributions put libfaketime, below ``/usr``."""
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - the kernel's name for it, not a temporary file of ours


def before(clock: str) -> str:
    """The moment at which sample data are made; empty for the real clock."""
    return (datetime.strptime(clock, FORMAT) - HEAD_START).strftime(FORMAT) if clock else ""  # noqa: DTZ007 - UTC by agreement


def variables(clock: str) -> dict[str, str]:
    """Environment variables that set a process's clock (UTC); none for the real clock."""
    library = _library() if clock else None
    if library is None:
        return {}
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME": f"@{clock} i0.000001",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        # Else waits on monotonic conditions end at once, and Python's threads spin for their lock.
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        "NO_FAKE_STAT": "1",
    }


def sweep() -> None:
    """Remove what libfaketime has left in shared memory for processes that are gone."""
    for path in SHARED_MEMORY.glob("*faketime_*_*"):
        pid = path.name.rpartition("_")[2]
        if pid.isdigit() and not Path("/proc", pid).exists():
            with contextlib.suppress(OSError):
                path.unlink()


@cache
def _library() -> Path | None:
    found = next((path for pattern in LIBRARIES for path in sorted(Path("/usr").glob(pattern))), None)
    if found is None:
        log.warning(
            "libfaketime is missing, so dates on screens will differ between runs;"
            " install the Debian package libfaketime."
        )
    return found

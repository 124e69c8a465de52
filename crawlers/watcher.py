"""The watcher: a small process that starts a command and sees to it that the command outlives nobody.

It is run as a script. Its standard input is a pipe from its parent: the first line is the job (``argv``,
``env``, ``cwd`` and ``grace`` in seconds, as JSON), and the end of the pipe is the order to end the job.
That end also comes when the parent is killed outright. On Linux it adopts the job's orphans, so that no
grandchild escapes. It exits with the job's own status (128 + n for signal n).
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PAUSE_S = 0.02


def main() -> int:
    """Run the job until it ends or the pipe does."""
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):
        return 0
    job = json.loads(line)
    wake = _signal_pipe()
    _adopt_orphans()
    try:
        child = subprocess.Popen(
            job["argv"], env=job["env"], cwd=job["cwd"], stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        sys.stderr.write(f"{job['argv'][0]}: {error.strerror}\n")
        return 127
    status = _wait(child.pid, wake)
    _end(child.pid, job["grace"])
    child.returncode = status or 0
    return status if status >= 0 else 128 - status


def _adopt_orphans() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _signal_pipe() -> int:
    """A descriptor that becomes readable whenever a child ends."""
    wake, ring = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(ring, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    return wake


def _wait(pid: int, wake: int) -> int:
    """Exit status of the job; 0 when the pipe ended first. Sleeps in select."""
    pipe = sys.stdin.fileno()
    while (ended := _reap()).get(pid) is None:
        ready, _, _ = select.select([pipe, wake], [], [])
        if wake in ready:
            os.read(wake, 4096)
        if pipe in ready and not os.read(pipe, 4096):
            return 0
    return ended[pid]


def _reap() -> dict[int, int]:
    """Exit statuses of the children that have ended since the last call."""
    ended: dict[int, int] = {}
    with contextlib.suppress(ChildProcessError):
        while (result := os.waitpid(-1, os.WNOHANG))[0]:
            ended[result[0]] = os.waitstatus_to_exitcode(result[1])
    return ended


def _end(group: int, grace: float) -> None:
    """TERM for the group, and after ``grace`` KILL for every descendant, whatever session it hides in.
    Without any grace nobody is asked, so that nothing is written on the way out.
    """
    if grace > 0:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGTERM)
    deadline = time.monotonic() + grace
    while left := _reap_and_list():
        if time.monotonic() > deadline:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE_S)


def _reap_and_list() -> list[int]:
    """Children still alive, adopted ones included."""
    _reap()
    return [
        int(stat.parent.name) for stat in Path("/proc").glob("[0-9]*/stat") if _parent(stat) == os.getpid()
    ]


def _parent(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


if __name__ == "__main__":
    sys.exit(main())

"""A Service is a server of ours in a child process: started, watched, checked and stopped as a whole tree."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from crawlers import watcher
from crawlers.host import HostError

LOOPBACK = "127.0.0.1"
GRACE_S = 3.0
FIRST_PAUSE_S = 0.01
LONGEST_PAUSE_S = 0.2


def free_port(preferred: int = 0) -> int:
    """A loopback TCP port that nobody listens on: the preferred one where it is free."""
    for port in (preferred, 0):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((LOOPBACK, port))
            return int(probe.getsockname()[1])
    raise HostError("No loopback port is free; end some programs and try again.")


@dataclass
class Service:
    """One command that serves in the foreground, with all processes that it starts.

    It dies with us, even when we are killed outright (see ``crawlers.watcher``). Not thread-safe.
    """

    name: str
    """What people call it."""
    argv: Sequence[str]
    cwd: Path
    log: Path
    """Takes its output; appended to."""
    env: Mapping[str, str] | None = None
    """None means ours."""
    grace: float = GRACE_S
    """Seconds between the polite signal and the other one; 0 leaves out the polite one."""
    _watcher: subprocess.Popen[bytes] | None = None

    @property
    def alive(self) -> bool:
        """Whether the command is running."""
        return self._watcher is not None and self._watcher.poll() is None

    @property
    def status(self) -> int | None:
        """Exit status of a command that has ended (128 + n for signal n); None while it runs."""
        return self._watcher.poll() if self._watcher is not None else None

    @property
    def pids(self) -> frozenset[int]:
        """Numbers of all its processes."""
        return frozenset(process.pid for process in self._tree())

    def start(self) -> None:
        """Start the command; an earlier run of it is ended first."""
        self.stop()
        job = {
            "argv": list(self.argv),
            "env": dict(os.environ if self.env is None else self.env),
            "cwd": str(self.cwd),
            "grace": self.grace,
        }
        with self.log.open("ab") as log:
            self._watcher = subprocess.Popen(
                [sys.executable, "-IS", watcher.__file__],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._write(json.dumps(job).encode() + b"\n")

    def wait_ready(self, port: int, path: str = "/", *, seconds: float = 60.0) -> None:
        """Wait until ``path`` answers below status 500 on the loopback port.

        Raises:
            HostError: the command died (with its last line), or did not answer in time.
        """
        deadline, pause = time.monotonic() + seconds, FIRST_PAUSE_S
        # Somebody else may answer on a port that was taken, so the listener must be in our tree.
        while not (answers(port, path) and port in {taken for _, taken in self.listens()}):
            self.check_alive()
            if time.monotonic() > deadline:
                raise HostError(
                    f"{self.name} did not answer on {path} within {seconds:g} s"
                    f" (its last line: {self._last_line()}); give it more time or see what it waits for."
                )
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE_S)

    def check_alive(self) -> None:
        """Raise a HostError with the last line of output if the command has ended."""
        if not self.alive:
            status = self._watcher.returncode if self._watcher else "never started"
            raise HostError(f"{self.name} has died (exit status {status}): {self._last_line()}")

    def check_loopback(self) -> None:
        """Raise a HostError if any process of the tree listens on more than loopback."""
        for address, port in self.listens():
            if not _is_loopback(address):
                raise HostError(
                    f"{self.name} listens on {address} port {port}, which other machines can reach;"
                    f" make its recipe bind {LOOPBACK}."
                )

    def listens(self) -> tuple[tuple[str, int], ...]:
        """IP address and TCP port of every listening socket of the tree, sorted."""
        return tuple(sorted({socket for process in self._tree() for socket in _listening(process)}))

    def memory(self) -> int:
        """Bytes that the tree holds, what its processes share counted in shares."""
        return sum(map(_memory, self._tree()))

    def stop(self) -> None:
        """End the whole tree and wait for its end. Safe to call twice."""
        if self._watcher is None:
            return
        if self._watcher.stdin:
            with contextlib.suppress(BrokenPipeError):
                self._watcher.stdin.close()
        try:
            self._watcher.wait(self.grace + 5)
        except subprocess.TimeoutExpired:
            for process in (*self._tree(), psutil.Process(self._watcher.pid)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            self._watcher.wait()

    def _write(self, data: bytes) -> None:
        if self._watcher and self._watcher.stdin:
            with contextlib.suppress(BrokenPipeError):  # it died at once, which check_alive will tell
                self._watcher.stdin.write(data)
                self._watcher.stdin.flush()

    def _tree(self) -> list[psutil.Process]:
        if self._watcher is None:
            return []
        with contextlib.suppress(psutil.NoSuchProcess):
            return psutil.Process(self._watcher.pid).children(recursive=True)
        return []

    def _last_line(self) -> str:
        with contextlib.suppress(OSError):
            lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
            return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
        return "it said nothing"


def busy(pids: Iterable[int]) -> bool:
    """Whether a thread of these processes runs, or waits for a processor or a disk. Linux only."""
    return any(
        _state(stat) in {"R", "D"} for pid in pids for stat in Path(f"/proc/{pid}/task").glob("*/stat")
    )


def _state(stat: Path) -> str:
    with contextlib.suppress(OSError):
        return stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    return ""


def answers(port: int, path: str) -> bool:
    """Whether a GET of ``path`` on the loopback port is answered with a status below 500."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _is_loopback(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback


def _memory(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        held = process.memory_full_info()
        return int(getattr(held, "pss", held.rss))  # only Linux counts shares
    return 0


def _listening(process: psutil.Process) -> set[tuple[str, int]]:
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return {
            (connection.laddr.ip, connection.laddr.port)
            for connection in process.net_connections(kind="tcp")
            if connection.status == psutil.CONN_LISTEN
        }
    return set()

"""CPU seconds of a command and of everything that it starts."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import psutil

LOOK_EVERY_S = 0.25


@dataclass(frozen=True)
class Spent:
    """What a command took."""

    code: int
    output: str
    seconds: float
    cpu_s: float


@dataclass
class _Meter:
    """The last known CPU time of every process that was ever seen below a parent. What a process uses
    after its last look is missed: a quarter of a second at most, each.
    """

    parent: psutil.Process
    used: dict[tuple[int, float], float] = field(default_factory=dict)
    done: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        while not self.done.wait(LOOK_EVERY_S):
            try:
                processes = [self.parent, *self.parent.children(recursive=True)]
            except psutil.NoSuchProcess:
                return
            for process in processes:
                self.look(process)

    def look(self, process: psutil.Process) -> None:
        try:
            times = process.cpu_times()
            self.used[process.pid, process.create_time()] = times.user + times.system
        except psutil.Error:
            return


def measured(argv: Sequence[str]) -> Spent:
    """Run a command to its end; its stdout is taken, its stderr goes where ours goes."""
    begun = time.monotonic()
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        meter = _Meter(psutil.Process(process.pid))
        watcher = threading.Thread(target=meter.watch, daemon=True)
        watcher.start()
        output = process.stdout.read() if process.stdout else ""
        code = process.wait()
        meter.done.set()
        watcher.join()
    return Spent(code, output, time.monotonic() - begun, sum(meter.used.values()))

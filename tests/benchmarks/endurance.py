"""A long crawl in one process: whether its memory stays flat, and whether anything outlives it."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

import psutil
from contest import say
from footprint import footprint
from tally import CountingHost, Tally

from crawlers.explore import Budget, explore
from crawlers.host import HostError
from crawlers.recipe import load
from crawlers.web.host import WebHost
from pipeline.corpus.images import ImageStore

EVERY = 5
"""Page loads between two looks at memory."""
ACTIONS_PER_CRAWL = 400
"""A crawl that has found everything is followed by another one, with another seed, in the same process."""
WORK_S = 20.0
GRACE_S = 20.0


def memory(app: str, loads: int) -> dict[str, Any]:
    """Memory of a crawl of so many page loads: mean of the last quarter by mean of the second one. The
    graph of a crawl grows with what it finds, so this is about what the process keeps beside.
    """
    samples: list[dict[str, float]] = []
    tally = Tally(
        loads, loaded=lambda count: samples.append(dict(footprint())) if count % EVERY == 0 else None
    )
    crawls = 0
    with WebHost(load(app), "en") as host, TemporaryDirectory() as images:
        counting = CountingHost(host, tally)
        while not tally.full:
            before = tally.loads
            with contextlib.suppress(HostError):
                budget = Budget(actions=ACTIONS_PER_CRAWL)
                explore(counting, budget=budget, seed=crawls, images=ImageStore(images))
            crawls += 1
            say(f"memory: {tally.loads} of {loads} page loads, {samples[-1] if samples else {}}")
            if tally.loads == before:
                break
    ratios = {owner: ratio([sample.get(owner, 0.0) for sample in samples]) for owner in ("ours", "browser")}
    return {
        "memory_ratio": max(ratios.values(), default=None),
        "memory_ratio_by": ratios,
        "memory_mib": {owner: round(value, 1) for owner, value in (samples[-1] if samples else {}).items()},
        "page_loads": tally.loads,
        "crawls": crawls,
    }


def ratio(series: Sequence[float]) -> float:
    """Mean of the last quarter by mean of the second quarter."""
    quarter = len(series) // 4
    return round(mean(series[-quarter:]) / mean(series[quarter : 2 * quarter]), 4) if quarter else 0.0


def orphans(app: str) -> int:
    """Processes that are left of a crawl that was told to end (SIGTERM) in the midst of its work."""
    with TemporaryDirectory() as folder:
        code = "from pipeline.cli import main; main()"
        command = [sys.executable, "-c", code, "crawl", "--app", app, "--out", str(Path(folder, "run"))]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as crawl:
            family = _family(crawl.pid)
            crawl.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                crawl.wait(GRACE_S)
            _, left = psutil.wait_procs(family, timeout=GRACE_S)
            for process in left:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
    return len(left)


def _family(pid: int) -> list[psutil.Process]:
    """A process with all its descendants, once the browser and the app are among them and at work."""
    root, deadline = psutil.Process(pid), time.monotonic() + 120
    while time.monotonic() < deadline:
        names = {child.name() for child in root.children(recursive=True)}
        if any("chrom" in name or "headless" in name for name in names):
            break
        time.sleep(0.5)
    time.sleep(WORK_S)
    return [root, *root.children(recursive=True)]

"""Resident memory of everything that a crawl keeps running, by whose it is."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping

import psutil

MIB = 1024 * 1024


def footprint() -> Mapping[str, float]:
    """MiB of proportional set size: ``ours`` (this process and the browser's driver), ``browser``, and
    ``app`` (everything else below this process). Pages shared between processes are counted once.
    """
    sizes: dict[str, float] = defaultdict(float)
    this = psutil.Process(os.getpid())
    for process in (this, *this.children(recursive=True)):
        try:
            sizes[_owner(process, this)] += process.memory_full_info().pss / MIB
        except (psutil.Error, AttributeError):
            continue
    return sizes


def _owner(process: psutil.Process, this: psutil.Process) -> str:
    if process == this:
        return "ours"
    program = os.path.basename(process.exe() or process.name())  # noqa: PTH119 - a name, not a path
    if "chrom" in program or "headless" in program:
        return "browser"
    return "ours" if program == "node" and "playwright" in " ".join(process.cmdline()) else "app"

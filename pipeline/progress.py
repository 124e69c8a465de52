"""How a run gets on: bars on a terminal, a plain line now and then elsewhere. Always on stderr."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.memory import Tick, Watch

if TYPE_CHECKING:
    from rich.progress import TaskID

LINE_EVERY_S = 10.0


@contextmanager
def shown(stages: tuple[str, ...]) -> Iterator[Watch]:
    """A Watch that shows these stages while the block runs."""
    if sys.stderr.isatty():
        with _bars(stages) as watch:
            yield watch
    else:
        lines = _Lines(stages)
        yield lines
        lines.close()


@contextmanager
def counted(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A function to call after each of ``total`` things."""
    if sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415 - 0.3 s that --help must not pay
        from rich.progress import Progress  # noqa: PLC0415

        with Progress(console=Console(stderr=True)) as progress:
            bar = progress.add_task(what, total=total)
            yield lambda: progress.advance(bar)
    else:
        print(f"{what}: {total} to do", file=sys.stderr, flush=True)  # noqa: T201 - the command line's own words
        yield lambda: None


class _Lines:
    """One line whenever a stage begins, and one every few seconds."""

    def __init__(self, stages: tuple[str, ...]) -> None:
        self._order = {name: place for place, name in enumerate(stages)}
        self._done: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()
        self._rejected: Counter[str] = Counter()
        self._last = 0.0
        self._begun: set[str] = set()

    def __call__(self, tick: Tick) -> None:
        if tick.what == "started":
            self._begin(tick.stage)
            return
        if tick.what == "moved":
            self._move(tick)
            return
        self._done[tick.stage] += 1
        self._kept[tick.stage] += tick.kept
        self._rejected[tick.stage] += tick.rejected
        if time.monotonic() - self._last > LINE_EVERY_S:
            self._say(tick.stage)

    def close(self) -> None:
        for stage in sorted(self._done, key=lambda name: self._order.get(name, len(self._order))):
            self._say(stage)

    def _begin(self, stage: str) -> None:
        if stage not in self._begun:
            self._begun.add(stage)
            print(f"{stage}: begun", file=sys.stderr, flush=True)  # noqa: T201 - the command line's own words

    def _move(self, tick: Tick) -> None:
        if time.monotonic() - self._last > LINE_EVERY_S:
            self._last = time.monotonic()
            print(f"{tick.stage}: {tick.note}", file=sys.stderr, flush=True)  # noqa: T201 - as above

    def _say(self, stage: str) -> None:
        self._last = time.monotonic()
        counts = f"{self._done[stage]} done, {self._kept[stage]} kept, {self._rejected[stage]} rejected"
        print(f"{stage}: {counts}", file=sys.stderr, flush=True)  # noqa: T201 - as above


@contextmanager
def _bars(stages: tuple[str, ...]) -> Iterator[Watch]:
    from rich.console import Console  # noqa: PLC0415 - 0.3 s that --help must not pay
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description:>12}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=False) as progress:
        bars: dict[str, TaskID] = {}
        rejected: Counter[str] = Counter()
        kept: Counter[str] = Counter()
        following = dict(pairwise(stages))
        for name in stages:
            bars[name] = progress.add_task(name, total=None, start=False, note="")

        def watch(tick: Tick) -> None:
            progress.start_task(bars[tick.stage])
            if tick.what in {"started", "moved"}:
                progress.update(bars[tick.stage], note=tick.note)
                return
            kept[tick.stage] += tick.kept
            rejected[tick.stage] += tick.rejected
            note = f"{rejected[tick.stage]} rejected" if rejected[tick.stage] else ""
            progress.update(bars[tick.stage], advance=1, note=note)
            if tick.stage in following:  # what one stage keeps, the next has before it
                progress.update(bars[following[tick.stage]], total=kept[tick.stage])

        yield watch

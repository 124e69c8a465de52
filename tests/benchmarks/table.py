"""What a crawl finds in each App of the pool."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from contest import say
from counts import counts
from footprint import footprint

from crawlers.explore import Budget, explore
from crawlers.host import HostError
from crawlers.platforms import listed
from crawlers.web.counted import alone
from crawlers.web.host import WebHost
from crawlers.web.lines import Gauge, Reading, gained
from pipeline.corpus.images import ImageStore
from schemas.app import App
from schemas.graph import Coverage

Row = dict[str, Any]


def row(app: App, actions: int) -> Row:
    """One App, crawled in its first language with so many actions, under line coverage where it is Python
    (which is slower, so speed is measured elsewhere).
    """
    say(f"apps: {app.name}")
    begun = time.monotonic()
    try:
        with TemporaryDirectory() as folder:
            return _row(app, actions, Gauge.of(app, Path(folder)))
    except HostError as error:
        return {"started": False, "error": str(error), "seconds": round(time.monotonic() - begun, 1)}


def _row(app: App, actions: int, gauge: Gauge | None) -> Row:
    variables = gauge.variables if gauge else {}
    idle = gauge and alone(gauge, app.languages[0])
    with WebHost(app, app.languages[0], variables) as host:
        started = time.monotonic()
        with TemporaryDirectory() as images:
            graph = explore(host, budget=Budget(actions=actions), seed=0, images=ImageStore(images))
        seconds = time.monotonic() - started
        memory = {owner: round(size) for owner, size in footprint().items()}
        graph = listed(host, graph)
    return {
        "started": True,
        **counts(graph),
        "routes": _routes(graph.coverage),
        "line_coverage": _covered(gauge.read(), idle) if gauge and idle else None,
        "seconds": round(seconds, 1),
        "memory_mib": memory,
    }


def rows(
    apps: Iterable[App], actions: int, keep: Callable[[dict[str, Row]], None] = lambda _: None
) -> dict[str, Row]:
    """One row for each App, by name. It takes long, so what is known is kept after every App."""
    found: dict[str, Row] = {}
    for app in apps:
        found[app.name] = row(app, actions)
        keep(found)
    return found


def _covered(reading: Reading, idle: Reading) -> Row:
    return {
        "lines": gained(reading.lines, idle.lines),
        "lines_at_start": sum(map(len, idle.lines.values())),
        "statements": reading.statements,
    }


def _routes(coverage: Coverage) -> Row | None:
    """Routes of the App's own table that were exercised; None where it has no table that can be read."""
    known = coverage.routes_known
    return {"covered": coverage.routes_reached, "known": known} if known else None

"""A crawl under coverage.py: what the crawl observes, and how many lines of the App's own code it ran."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from crawlers.host import Host
from crawlers.web.host import WebHost
from crawlers.web.lines import Gauge, Reading, gained
from schemas.app import App
from schemas.graph import FunctionGraph

log = logging.getLogger(__name__)


def counted(app: App, lang: str, crawl: Callable[[Host], FunctionGraph]) -> FunctionGraph | None:
    """What ``crawl`` observes on a Host of its own, with the lines it ran; None, and nothing crawled, where
    the App is no Python program that was installed by us. Lines that starting and stopping run do not
    count, so the App is started once more.

    Raises:
        HostError: the App could not be installed or started, or died again and again.
    """
    with TemporaryDirectory(prefix="groundsmith-") as folder:
        gauge = Gauge.of(app, Path(folder))
        if gauge is None:
            return None
        idle = alone(gauge, lang)
        with WebHost(app, lang, gauge.variables) as host:
            graph = crawl(host)
        reading = gauge.read()
    if not reading.lines:
        log.warning("%s ended without writing down its lines, so they are not counted", app.title)
        return graph
    numbers = {"lines": gained(reading.lines, idle.lines), "statements": reading.statements}
    return graph.model_copy(update={"coverage": graph.coverage.model_copy(update=numbers)})


def alone(gauge: Gauge, lang: str) -> Reading:
    """What runs when the App is only started and stopped; the gauge is empty afterwards."""
    with WebHost(gauge.app, lang, gauge.variables):
        pass
    idle = gauge.read()
    gauge.forget()
    return idle

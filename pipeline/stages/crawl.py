"""Crawl: an App in one language → everything that it was observed to do."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from crawlers.driver import ImageSink
from crawlers.explore import Budget, Progress, explore
from crawlers.host import Host, HostError
from crawlers.platforms import HostPool, counted, listed
from schemas.app import Locus
from schemas.graph import FunctionGraph
from schemas.proof import Fault
from schemas.rejection import Rejection

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Crawl:
    """Explores within the budget. An App that cannot be started or dies again and again is a Rejection
    with fault ``environment``; one that offers nothing at its entry is one with fault ``task``.
    """

    pool: HostPool
    images: ImageSink
    budget: Budget = Budget()  # noqa: RUF009 - a frozen record
    seed: int = 0
    progress: Progress | None = None
    lines: bool = False
    """Whether lines of the App's own code that run are counted, which slows it."""
    name: str = "crawl"

    def __call__(self, item: Locus) -> Iterator[FunctionGraph | Rejection]:
        """The graph of one App in one language, or why there is none."""
        try:
            graph = self._graph(item)
        except HostError as error:
            yield self._rejection(item, "environment", str(error), Fault.ENVIRONMENT)
            return
        if graph.transitions:
            yield graph
        else:
            detail = (
                "Nothing on the entry screen could be tried; look at its screenshot and the recipe's login."
            )
            yield self._rejection(item, "empty", detail, Fault.TASK)

    def _graph(self, item: Locus) -> FunctionGraph:
        """Where lines are counted, the App runs on a Host of its own: proofs are not to be slowed."""
        if self.lines:
            graph = counted(item.app, item.lang, self._explore)
            if graph is not None:
                return graph
            log.warning(
                "lines of %s are not counted: it is no Python program that was installed for it",
                item.app.title,
            )
        return self._explore(self.pool.host(item.app, item.lang))

    def _explore(self, host: Host) -> FunctionGraph:
        graph = explore(host, budget=self.budget, seed=self.seed, images=self.images, progress=self.progress)
        return listed(host, graph)

    def _rejection(self, item: Locus, reason: str, detail: str, fault: Fault) -> Rejection:
        return Rejection(
            stage=self.name,
            item=item.id,
            reason=reason,
            detail=detail,
            fault=fault,
            app=item.app.name,
            lang=item.lang,
            text=item.app.title,
        )

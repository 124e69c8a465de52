"""Crawl: an App in one language → everything that it was observed to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crawlers.driver import ImageSink
from crawlers.explore import Budget, Progress, explore
from crawlers.host import HostError
from crawlers.platforms import HostPool
from schemas.app import Locus
from schemas.graph import FunctionGraph
from schemas.proof import Fault
from schemas.rejection import Rejection


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
    name: str = "crawl"

    def __call__(self, item: Locus) -> Iterator[FunctionGraph | Rejection]:
        """The graph of one App in one language, or why there is none."""
        try:
            host = self.pool.host(item.app, item.lang)
            graph = explore(
                host, budget=self.budget, seed=self.seed, images=self.images, progress=self.progress
            )
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

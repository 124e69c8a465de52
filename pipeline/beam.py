"""Makes Piles come true on Apache Beam. The flow does not know; its outcomes are the same.

Beam runs the stages wherever its workers are; what they yield is kept by the ledger that every recorded
stage carries, so a bundle that is retried finds its work done.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import apache_beam as beam
from apache_beam.metrics.metric import Metrics
from apache_beam.pvalue import PCollection, TaggedOutput
from apache_beam.runners.portability.fn_api_runner.fn_runner import FnApiRunner
from apache_beam.transforms.util import Reshuffle

from crawlers.host import HostError
from pipeline.errors import GroundsmithError
from pipeline.pile import Meet, Pile, Source, Through
from pipeline.stage import Stage
from schemas.rejection import Rejection

KEPT = "kept"
REJECTED = "rejected"

_broken: list[Exception] = []
"""Errors that ended a bundle in this process. Beam turns every error into text; this keeps the sentence."""


class _Run(beam.DoFn):
    """A stage as Beam's function: kept items on the main output, Rejections on their own."""

    def __init__(self, stage: Stage[Any, Any]) -> None:
        self._stage = stage

    def process(self, item: Any) -> Iterator[Any]:
        """Run the stage on one item; an error that ends the run keeps its sentence."""
        try:
            for result in self._stage(item):
                fell_out = isinstance(result, Rejection)
                Metrics.counter(self._stage.name, REJECTED if fell_out else KEPT).inc()
                yield TaggedOutput(REJECTED, result) if fell_out else result
        except (GroundsmithError, HostError, OSError) as error:
            _broken.append(error)
            raise


class Apply(beam.PTransform):
    """A stage lifted into Beam; yields the outputs ``kept`` and ``rejected``."""

    def __init__(self, stage: Stage[Any, Any]) -> None:
        """Take the stage's name as label."""
        super().__init__(label=stage.name)
        self._stage = stage

    def expand(self, items: PCollection) -> Any:
        """One ParDo with two tagged outputs."""
        return items | "run" >> beam.ParDo(_Run(self._stage)).with_outputs(REJECTED, main=KEPT)


class _Plan:
    """Piles on their way into one Beam pipeline, each of them once."""

    def __init__(self, pipeline: beam.Pipeline) -> None:
        self._pipeline = pipeline
        self._done: dict[int, PCollection] = {}

    def lift(self, pile: Pile[Any]) -> PCollection:
        if id(pile) not in self._done:
            self._done[id(pile)] = self._lifted(pile)
        return self._done[id(pile)]

    def _lifted(self, pile: Pile[Any]) -> Any:
        match pile:
            case Source():
                return self._pipeline | f"source {len(self._done)}" >> beam.Create(pile.items)
            case Through():
                return self._through(pile)
            case Meet():
                return self._meet(pile)

    def _through(self, pile: Through[Any, Any]) -> Any:
        name = pile.stage.name
        before = self.lift(pile.before)
        if pile.spread:
            before |= f"spread before {name}" >> Reshuffle()
        return (before | Apply(pile.stage))[KEPT]  # the rejected are counted here and kept by the ledger

    def _meet(self, pile: Meet[Any, Any, Any]) -> Any:
        sides = {
            "left": self.lift(pile.left) | f"{pile.name}: key left" >> beam.Map(_keyed, pile.left_key),
            "right": self.lift(pile.right) | f"{pile.name}: key right" >> beam.Map(_keyed, pile.right_key),
        }
        met = sides | f"{pile.name}: meet" >> beam.CoGroupByKey()
        return met | f"{pile.name}: merge" >> beam.FlatMap(_merge, pile.merged)


def _keyed(item: Any, key: Callable[[Any], str]) -> tuple[str, Any]:
    return key(item), item


def _merge(group: tuple[str, dict[str, Iterable[Any]]], merged: Any) -> Iterator[Any]:
    _, sides = group
    for left in sides["left"]:
        yield merged(left, sides["right"])


def exhaust(pile: Pile[Any]) -> None:
    """Run all that leads to a pile.

    The runner is named: Beam's default one would first look for a binary on the network.

    Raises:
        GroundsmithError, HostError, OSError: as the stage raised it.
    """
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL)  # what it logs, it also raises
    _broken.clear()
    try:
        with beam.Pipeline(runner=FnApiRunner()) as pipeline:
            _Plan(pipeline).lift(pile)
    except Exception:
        if _broken:
            raise _broken[0] from None
        raise

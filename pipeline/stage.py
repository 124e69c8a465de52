"""A Stage is one arrow of the flow: a named function from one item to many items or Rejections.

Stages are frozen dataclasses whose fields are their parameters. They know nothing of how they are run:
``run`` executes one in memory, ``pipeline.beam.Apply`` lifts the same one into Beam.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from schemas.rejection import Rejection

In = TypeVar("In", contravariant=True)  # noqa: PLC0105 - a stage reads and writes, it holds nothing
Out = TypeVar("Out", covariant=True)  # noqa: PLC0105


class Stage(Protocol[In, Out]):
    """The contract. Errors of an item become Rejections inside the stage; what escapes is a bug or an
    error that ends the command.
    """

    @property
    def name(self) -> str:
        """Short name: the stage column of its Rejections."""
        ...

    def __call__(self, item: In, /) -> Iterable[Out | Rejection]:
        """Everything that this item becomes."""
        ...


def run(stage: Stage[In, Out], items: Iterable[In]) -> Iterator[Out | Rejection]:
    """Execute a stage in memory, lazily, in order."""
    for item in items:
        yield from stage(item)

"""A Pile is the items at one point of the flow: where they come from, not yet what they are.

Piles are the flow's whole algebra: a ``Source``, ``Through`` a stage, and two piles that ``Meet``. They
are plain data; ``pipeline.memory`` and ``pipeline.beam`` are the two ways to make them come true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from pipeline.ledger import Recorded
from schemas.record import Record

In = TypeVar("In", bound=Record)
Out = TypeVar("Out", bound=Record)
Left = TypeVar("Left", bound=Record)
Right = TypeVar("Right", bound=Record)
Next = TypeVar("Next", bound=Record)


@dataclass(frozen=True, eq=False)
class Source(Generic[Out]):
    """Items that are given."""

    items: tuple[Out, ...]

    def through(self, stage: Recorded[Out, Next]) -> Through[Out, Next]:
        """What a stage makes of these."""
        return Through(self, stage)


@dataclass(frozen=True, eq=False)
class Through(Generic[In, Out]):
    """What a stage keeps of the pile before it."""

    before: Pile[In]
    stage: Recorded[In, Out]
    spread: bool = False
    """Whether the items before are many and each dear, so that a distributed runner should deal them
    out anew among its workers."""

    def through(self, stage: Recorded[Out, Next], *, spread: bool = False) -> Through[Out, Next]:
        """What the next stage makes of these."""
        return Through(self, stage, spread)


@dataclass(frozen=True, eq=False)
class Meet(Generic[Left, Right, Out]):
    """Every item of the left pile with the items of the right one that have the same key.

    Left keys are unique, and so is ``order`` among the right items: it decides their order, so that no
    runner's own order ever shows, and an item that comes twice is taken once.
    """

    name: str
    left: Pile[Left]
    right: Pile[Right]
    left_key: Callable[[Left], str]
    right_key: Callable[[Right], str]
    order: Callable[[Right], Any]
    merge: Callable[[Left, tuple[Right, ...]], Out]

    def merged(self, left: Left, right: Iterable[Right]) -> Out:
        """One left item with its right ones."""
        once = {self.order(item): item for item in right}
        return self.merge(left, tuple(once[place] for place in sorted(once)))

    def through(self, stage: Recorded[Out, Next]) -> Through[Out, Next]:
        """What a stage makes of these."""
        return Through(self, stage)


Pile: TypeAlias = Source[Out] | Through[Any, Out] | Meet[Any, Any, Out]

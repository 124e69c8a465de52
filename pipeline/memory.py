"""Makes Piles come true in this process: lazily, in order, one item at a time.

An item flows as deep as it can before the next is taken up, so memory does not grow with the corpus. The
first walk over a pile runs its stages (or finds their outcomes in the ledger); later walks only read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pipeline.ledger import Outcome
from pipeline.pile import Meet, Pile, Source, Through
from schemas.record import Record
from schemas.rejection import Rejection

T = TypeVar("T", bound=Record)


@dataclass(frozen=True)
class Tick:
    """Something that happened to one item at one stage."""

    stage: str
    what: Literal["started", "moved", "made", "reused", "missing"]
    kept: int = 0
    rejected: int = 0
    note: str = ""
    """How far it is, while it is under way."""
    key: str = ""
    """The outcome's key: several walks may pass the same item."""


Watch = Callable[[Tick], None]
"""Whoever wants to know how the flow gets on."""


def unwatched(_: Tick) -> None:
    """Watch nothing."""


@dataclass
class Memory:
    """One walker. It remembers which outcomes belong to which pile, never the items themselves."""

    watch: Watch = unwatched
    execute: bool = True
    """False only reads: items without an outcome are passed over as ``missing``."""
    kept: Counter[str] = field(default_factory=Counter)
    """Stage → records kept, of the piles that were walked."""
    _keys: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def items(self, pile: Pile[T]) -> Iterator[T]:
        """The pile's items, in order."""
        match pile:
            case Source():
                yield from pile.items
            case Through():
                for outcome in self._outcomes(pile):
                    yield from outcome.kept
            case Meet():
                yield from self._met(pile)

    def exhaust(self, pile: Pile[Any]) -> int:
        """Make all of a pile; answers how many items it has."""
        return sum(1 for _ in self.items(pile))

    def rejections(self, pile: Pile[Any]) -> Iterator[Rejection]:
        """What fell out on the way to a pile, first stage first."""
        match pile:
            case Source():
                return
            case Through():
                yield from self.rejections(pile.before)
                for outcome in self._outcomes(pile):
                    yield from outcome.rejected
            case Meet():
                yield from self.rejections(pile.right)  # both sides share what came before they parted

    def _outcomes(self, pile: Through[Any, T]) -> Iterator[Outcome[T]]:
        known = self._keys.get(id(pile))
        yield from self._made(pile) if known is None else self._kept(pile, known)

    def _made(self, pile: Through[Any, T]) -> Iterator[Outcome[T]]:
        keys: dict[str, None] = {}  # an ordered set: an item that comes twice counts once
        for item in self.items(pile.before):
            key = pile.stage.key(item)
            if key in keys:
                continue
            outcome = self._outcome(pile, key, item)
            if outcome is not None:
                keys[key] = None
                yield outcome
        self._keys[id(pile)] = tuple(keys)

    def _outcome(self, pile: Through[Any, T], key: str, item: Any) -> Outcome[T] | None:
        stage = pile.stage
        outcome: Outcome[T] | None = stage.recorded(key)
        if outcome is None and not self.execute:
            self.watch(Tick(stage.name, "missing"))
            return None
        reusable = outcome is not None and (outcome.settled or not self.execute)
        if outcome is None or not reusable:
            self.watch(Tick(stage.name, "started"))
            outcome = stage.make(key, item)
        what: Literal["made", "reused"] = "reused" if reusable else "made"
        self.kept[stage.name] += len(outcome.kept)
        self.watch(Tick(stage.name, what, len(outcome.kept), len(outcome.rejected), key=key))
        return outcome

    def _kept(self, pile: Through[Any, T], keys: tuple[str, ...]) -> Iterator[Outcome[T]]:
        for key in keys:
            outcome = pile.stage.recorded(key)
            if outcome is not None:
                yield outcome

    def _met(self, pile: Meet[Any, Any, T]) -> Iterator[T]:
        groups: dict[str, list[Any]] = {}
        for item in self.items(pile.right):
            groups.setdefault(pile.right_key(item), []).append(item)
        for item in self.items(pile.left):
            yield pile.merged(item, groups.get(pile.left_key(item), ()))

"""Inferred variants: what was done to one item of a list, on the items that nobody tried it on.

They are hypotheses until they are proven, as is every task made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.mining.entities import Anchor, entity_text, siblings
from schemas.action import Action, Target, target_of
from schemas.capability import Variant
from schemas.effect import Delta
from schemas.graph import Transition
from schemas.screen import Element, State

_NUMBERS = re.compile(r"(\d+)")


def inferred(
    chain: Sequence[tuple[State, Transition]], anchor: Anchor, like: Variant, root: State, seen: set[str]
) -> Iterator[Variant]:
    """The Variant ``like`` moved to every other item of its list, those with a key in ``seen`` left out."""
    state, first = _entry(chain, anchor)
    for other in siblings(state, first):
        move = _Move(state, first, other)
        targets = [target for action in like.path if (target := target_of(action)) and target.item]
        moved = {target.key: move.target(target) for target in targets if target.item == first.item}
        own = moved.get(anchor.element.key)
        if own is None or None in moved.values() or own.key in seen or not other.enabled:
            continue
        yield like.model_copy(
            update={
                "entity": entity_text(state, other, root),
                "path": tuple(_onto(action, moved) for action in like.path),
                "target_path": move.address(like.target_path),
                "told": (),
                "delta": Delta(),
                "undo": (),
                "flips": tuple(
                    flip.model_copy(update={"key": own.key}) if flip.key == anchor.element.key else flip
                    for flip in like.flips
                ),
            }
        )


@dataclass(frozen=True)
class _Move:
    """From one item to another, on a screen that displays both."""

    state: State
    here: Element
    there: Element

    def target(self, target: Target) -> Target | None:
        """The counterpart of a control; where it only comes up later, by its place alone."""
        for element in self.state.elements:
            if element.template == target.template and element.item == self.there.item and element.visible:
                return Target.of(element)
        key = self._key(target.key)
        if not key:
            return None
        return target.model_copy(update={"key": key, "item": self.there.item, "locators": ()})

    def address(self, path: str) -> str:
        """The same address for the other item; empty where its number is not known."""
        moves = self._numbers()
        swapped = "".join(moves.get(part, part) for part in _NUMBERS.split(path))
        return swapped if swapped != path else ""

    def _key(self, key: str) -> str:
        """The key with the place of the other item, if the items' keys differ in one number."""
        one, two, parts = (_NUMBERS.split(each) for each in (self.here.key, self.there.key, key))
        places = [place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b]
        if len(one) != len(two) or len(places) != 1 or parts[: places[0] + 1] != one[: places[0] + 1]:
            return ""
        return "".join((*parts[: places[0]], two[places[0]], *parts[places[0] + 1 :]))

    def _numbers(self) -> dict[str, str]:
        """Which number in the addresses of the items' controls stands for the one and for the other."""
        there = {
            element.template: element for element in self.state.elements if element.item == self.there.item
        }
        for element in self.state.elements:
            twin = there.get(element.template)
            if element.item != self.here.item or twin is None:
                continue
            for one, two in (
                (element.href, twin.href),
                (element.form, twin.form),
                (element.field, twin.field),
            ):
                parts = zip(_NUMBERS.split(one), _NUMBERS.split(two), strict=False)
                differing = {a: b for a, b in parts if a != b}
                if len(differing) == 1 and all(a.isdigit() and b.isdigit() for a, b in differing.items()):
                    return differing
        return {}


def _entry(chain: Sequence[tuple[State, Transition]], anchor: Anchor) -> tuple[State, Element]:
    """The first step on the anchor's item: pointing at it may be what brings its controls up."""
    for state, transition in chain:
        target = target_of(transition.action)
        element = state.find(target.key) if target else None
        if element is not None and element.item == anchor.element.item:
            return state, element
    return anchor.state, anchor.element


def _onto(action: Action, moved: dict[str, Target | None]) -> Action:
    target = target_of(action)
    found = moved.get(target.key) if target is not None else None
    if target is None or found is None:
        return action
    # A control may be called otherwise the second time ("sure?").
    return action.model_copy(update={"target": found.model_copy(update={"label": target.label})})

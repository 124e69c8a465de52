"""Inverses: which capability takes another one back, as far as one was observed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crawlers.words import CREATE, DELETE, UPDATE, speaks_of, words_of
from pipeline.mining.signature import Sight
from schemas.action import Action, Submit, Target, target_of
from schemas.capability import Capability
from schemas.effect import EffectClass
from schemas.screen import Element, State

_PAIRS = (
    ("add", "remove"),
    ("delete", "restore"),
    ("delete", "reactivate"),
    ("remove", "restore"),
    ("activate", "deactivate"),
    ("enable", "disable"),
    ("pin", "unpin"),
    ("star", "unstar"),
    ("archive", "unarchive"),
    ("lock", "unlock"),
    ("follow", "unfollow"),
    ("subscribe", "unsubscribe"),
    ("open", "close"),
    ("show", "hide"),
)
_WORDS = re.compile(r"[^\W\d_]+")
_OPPOSITE = {EffectClass.CREATE: EffectClass.DELETE, EffectClass.DELETE: EffectClass.CREATE}
_ITSELF = frozenset({EffectClass.UPDATE, EffectClass.TOGGLE, EffectClass.SET})
_VERBS = " ".join(dict.fromkeys(word for pair in _PAIRS for word in pair))


def inverse_of(capability: Capability, others: Sequence[Capability]) -> str:
    """Id of the capability that takes it back: its named opposite (``pin`` and ``unpin``), else delete for
    create and create for delete of the same collection, else itself where it sets a value.
    """
    alike = [
        other
        for other in others
        if other.id != capability.id and collection_of(other) == collection_of(capability) and _acts(other)
    ]
    if not _acts(capability):
        return ""
    named = [other.id for other in alike if _opposite(capability.signature, other.signature)]
    kind = _OPPOSITE.get(capability.effect)
    by_class = [other.id for other in alike if other.effect is kind and _fit(capability, other)]
    itself = [capability.id] if capability.effect in _ITSELF else []
    return next(iter((*named, *by_class, *itself)), "")


def undo_of(sight: Sight, inverse: Capability) -> tuple[Action, ...]:
    """The inverse's steps on the item that a sight was seen to make, on the screen that it ended on; empty
    where that screen does not hold their controls.
    """
    made = _made(sight)
    steps = inverse.variants[0].path
    first = target_of(steps[0])
    if not made or first is None or not first.item:
        return ()
    moved: list[Action] = []
    for action in steps:
        target = target_of(action)
        twin = _control_of(sight.target, target, made) if target else None
        if target is not None and (twin is None or target.item != first.item):
            return ()
        moved.append(action.model_copy(update={"target": Target.of(twin)}) if twin else action)
    return tuple(moved)


def _made(sight: Sight) -> str:
    """Text of the item that appeared and holds a value that was typed."""
    action = sight.transition.action
    fields = action.fields if isinstance(action, Submit) else ()
    typed = [field.value for field in fields if field.action.kind == "type" and len(field.value) > 1]
    old = {element.item for element in sight.source.elements}
    fresh = (e.item for e in sight.target.elements if e.visible and e.item and e.item not in old)
    return next((item for item in fresh if any(value in item for value in typed)), "")


def _control_of(state: State, target: Target, item: str) -> Element | None:
    alike = (e for e in state.elements if e.template == target.template and e.item == item and e.visible)
    return next(alike, None)


def collection_of(capability: Capability) -> tuple[str, ...]:
    """What a capability works on: the fixed parts of its route that are no verbs; for storage its key."""
    method, _, route = capability.signature.partition(" ")
    if method == "ui":
        return ("ui", capability.ends_at)
    return tuple(_nouns(route))


def _nouns(route: str) -> Iterator[str]:
    for part in route.partition("?")[0].split("/"):
        words = [word for word in _WORDS.findall(part) if not _is_verb(word)]
        if words and "{" not in part:
            yield "_".join(words)


def _is_verb(word: str) -> bool:
    return any(speaks_of(family, word) for family in (CREATE, UPDATE, DELETE, _VERBS))


def _fit(one: Capability, other: Capability) -> bool:
    """Whether the deletion of the two deletes an item, and not the whole collection."""
    delete = one if one.effect is EffectClass.DELETE else other
    return "{" in delete.signature or any(variant.entity for variant in delete.variants)


def _acts(capability: Capability) -> bool:
    return capability.effect in _OPPOSITE or capability.effect in _ITSELF


def _opposite(one: str, two: str) -> bool:
    here, there = words_of(one), words_of(two)
    return any((a in here and b in there) or (b in here and a in there) for a, b in _PAIRS)

"""Names made distinct: a page and what is done on it may share one, and so may one button on many pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pipeline.mining.naming import with_object
from pipeline.mining.signature import LIGHT
from schemas.capability import Capability


def distinct(found: Mapping[str, Capability]) -> dict[str, str]:
    """The name of every Capability by its id: its own, and where others are called the same (by case
    folded, moving about apart from changing), followed by what tells it from them.
    """
    groups: dict[tuple[str, bool], list[str]] = {}
    for key, each in found.items():
        groups.setdefault((each.name.casefold(), each.effect in LIGHT), []).append(key)
    names: dict[str, str] = {}
    for group in groups.values():
        extras = [_extras(found[key]) for key in group]
        for key, own in zip(group, extras, strict=True):
            name = found[key].name
            names[key] = with_object(name, _telling(own, extras)) if len(group) > 1 else name
    return {key: names[key] for key in found}


def _extras(capability: Capability) -> tuple[str, ...]:
    """What may tell it apart, the most natural first: what it is about, where it is, where it leads."""
    return (capability.object, capability.page, capability.title, *capability.labels)


def _telling(own: Sequence[str], group: Sequence[Sequence[str]]) -> list[str]:
    """The same, those first that no other of the group could be told by."""
    shared = Counter(extra for extras in group for extra in set(extras))
    return sorted(own, key=lambda extra: shared[extra] > 1)

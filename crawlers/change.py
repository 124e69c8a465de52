"""A Change is one performed Action with the screens on both sides: the facts that Effects are read from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from crawlers.forms import asks_for_words
from schemas.action import Action, Submit, Type, target_of
from schemas.effect import SAFE_METHODS, Delta, Evidence, Request
from schemas.screen import Element, State

_DATA_AREAS = frozenset({"local", "session", "indexed", "file", "setting"})


@dataclass(frozen=True)
class Change:
    """What was seen; every property is a fact about it."""

    before: State
    action: Action
    after: State
    evidence: Evidence
    delta: Delta

    @cached_property
    def pressed(self) -> Element | None:
        """The element that was acted on, as it was."""
        target = target_of(self.action)
        return self.before.find(target.key) if target else None

    @cached_property
    def sent(self) -> tuple[Request, ...]:
        """Requests by which the Action asked for a change, granted or not."""
        asked = (each for each in self.evidence.requests if not each.unprompted)
        return tuple(each for each in asked if each.method not in SAFE_METHODS)

    @cached_property
    def writes(self) -> tuple[Request, ...]:
        """Those that were granted."""
        return tuple(each for each in self.sent if each.write)

    @cached_property
    def stored(self) -> bool:
        """Whether data was put into storage behind the screen; cookies are no data."""
        return any(write.area in _DATA_AREAS for write in self.evidence.storage)

    @cached_property
    def loaded(self) -> bool:
        """Whether a page was loaded."""
        return any(request.document for request in self.evidence.requests)

    @cached_property
    def moved(self) -> bool:
        """Whether the screen afterwards is at another place, queries and fragments aside."""
        return place_of(self.before) != place_of(self.after)

    @cached_property
    def elsewhere(self) -> bool:
        """Whether another page is displayed, or another view at another address: the address alone may be
        changed by a script that displays nothing new.
        """
        viewed = self.before.id != self.after.id
        return self.loaded or (viewed and self.before.address != self.after.address)

    @cached_property
    def searched(self) -> bool:
        """Whether something was typed into a search field."""
        if isinstance(self.action, Submit):
            keys = [field.action.target.key for field in self.action.fields]
        else:
            keys = [self.action.target.key] if isinstance(self.action, Type) else []
        return any(asks_for_words(field) for key in keys if (field := self.before.find(key)))

    @cached_property
    def was_empty(self) -> bool:
        """Whether text was entered, and only into fields that held none."""
        if isinstance(self.action, Submit):
            keys = [each.action.target.key for each in self.action.fields if isinstance(each.action, Type)]
        else:
            keys = [self.action.target.key] if isinstance(self.action, Type) else []
        found = [element for key in keys if (element := self.before.find(key))]
        return bool(found) and not any(element.value for element in found)

    @cached_property
    def growth(self) -> int:
        """Items gained by the list that both screens display at the same place; 0 where there is none."""
        if self.moved:
            return 0
        first, last = items_of(self.before), items_of(self.after)
        shared = [template for template in first if template in last]
        if shared:
            return max((last[template] - first[template] for template in shared), key=abs)
        # The list's first item appeared, or its last one vanished.
        return int(bool(last)) - int(bool(first))

    @cached_property
    def gained(self) -> int:
        """Items gained, by what was put into storage where that tells, else by what is displayed: an item
        that is done may only have left the list of open ones.
        """
        told = [write.grown for write in self.evidence.storage if write.grown is not None]
        return sum(told) if told else self.growth

    @cached_property
    def ticked(self) -> bool:
        """Whether a box was acted on, though it may be gone since."""
        return self.pressed is not None and self.pressed.checkable

    @cached_property
    def switched(self) -> bool:
        """Whether all that was written are settings that are now on or off."""
        data = [write for write in self.evidence.storage if write.area in _DATA_AREAS]
        return bool(data) and all(w.area == "setting" and w.value in {"true", "false"} for w in data)

    @cached_property
    def marked(self) -> bool:
        """Whether a box changed its mark."""
        return _marks(self.before) != _marks(self.after)


def place_of(state: State) -> str:
    """The route without query and fragment."""
    return state.route.partition("?")[0].partition("#")[0]


def items_of(state: State) -> Counter[str]:
    """How many items of each repeated template a screen displays."""
    held: dict[str, set[str]] = {}
    for element in state.elements:
        if element.visible and element.item:
            held.setdefault(element.template, set()).add(element.key)
    return Counter({template: len(keys) for template, keys in held.items()})


def _marks(state: State) -> list[tuple[str, bool]]:
    return [(each.key, each.checked) for each in state.elements if each.visible and each.checkable]

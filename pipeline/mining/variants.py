"""Variants: the concrete ways to one capability, one for each entity that it can act on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from crawlers.effects import delta_of
from crawlers.forms import expand
from pipeline.mining.atlas import Atlas, Walk
from pipeline.mining.entities import Anchor, anchor_of, entity_text, in_frame
from pipeline.mining.inferred import inferred
from pipeline.mining.pressed import form_of
from pipeline.mining.signature import LIGHT, Sight, writes_of
from schemas.action import Action, FieldInput, Submit
from schemas.capability import Flip, Slot, Variant
from schemas.graph import Transition
from schemas.screen import Element, State

MOST = 8
"""Variants kept of one capability."""

MASK = "***"
"""What evidence holds in the place of a secret or token."""

_NUMBERS = re.compile(r"(\d+)")
_ORDER = {"valid": 0, "boundary": 1, "untouched": 2, "invalid": 3}


@dataclass(frozen=True)
class Way:
    """A sight with the walk that leads to it."""

    sight: Sight
    walk: Walk
    chain: tuple[tuple[State, Transition], ...]
    """Every Transition of the path with the screen on which it is made."""
    anchor: Anchor | None

    @property
    def key(self) -> str:
        """Which entity it is for, free of language; empty where it has none."""
        if self.anchor is not None:
            return self.anchor.element.key
        call = self.sight.call
        return call.path if call is not None and call.path != call.route else ""

    @property
    def rank(self) -> tuple[bool, int, int, int, list[tuple[bool, int, str]]]:
        """Sorts the most trustworthy first: made on pristine data, with valid values, by a short path."""
        last = self.sight.transition
        variant = last.action.variant if isinstance(last.action, Submit) else "valid"
        fields = len(last.action.fields) if isinstance(last.action, Submit) else 0
        steps = sum(len(expand(transition.action)) for _, transition in self.chain) - fields
        return (not last.clean, _ORDER[variant], steps, -fields, natural(self.key))


def natural(text: str) -> list[tuple[bool, int, str]]:
    """A sort key that puts 2 before 10."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in _NUMBERS.split(text)]


def ways(atlas: Atlas, sights: Sequence[Sight]) -> list[Way]:
    """The best way for each entity, the most trustworthy first; empty where none is reachable."""
    found: dict[str, Way] = {}
    for sight in sights:
        walk = atlas.way(sight)
        if walk is None:
            continue
        here = [atlas.states[transition.source] for transition in walk]
        last = atlas.start(walk)
        chain = (*zip(here, walk, strict=True), (last, sight.transition))
        way = Way(sight, walk, chain, _anchor(atlas, chain, sight.signature.text))
        held = found.get(way.key)
        if held is None or way.rank < held.rank:
            found[way.key] = way
    # What can be done without choosing an item is not about one.
    plain = [found[""]] if "" in found else list(found.values())
    return sorted(plain, key=lambda way: way.rank)


def _anchor(atlas: Atlas, chain: Sequence[tuple[State, Transition]], signature: str) -> Anchor | None:
    """The item that the path is about: none where the last control stands on every page, or is a link to
    one fixed address.
    """
    state, last = chain[-1]
    control = atlas.control(last)
    element = state.find(control.key) if control else None
    if element is None:
        return anchor_of(chain)
    fixed = bool(element.href) and "/" in signature and "{" not in signature
    return None if fixed or in_frame(state, element) else anchor_of(chain)


def variants_of(atlas: Atlas, found: Sequence[Way]) -> tuple[Variant, ...]:
    """One Variant for each way, the reference first, then those inferred for the items nobody tried."""
    seen = {way.key for way in found}
    told = _told(found)
    observed = [
        _variant(atlas, way, alone=len(found) == 1).model_copy(update={"told": fields})
        for way, fields in zip(found, told, strict=True)
    ]
    best = found[0]
    others = inferred(best.chain, best.anchor, observed[0], atlas.root, seen) if best.anchor else ()
    named: dict[str, Variant] = {}
    for variant in (*observed, *others):
        named.setdefault(variant.entity or repr(variant.path), variant)
    return tuple(named.values())[:MOST]


def _told(found: Sequence[Way]) -> list[tuple[tuple[str, str], ...]]:
    """For each way, the fields of its request that were not typed and that are not the same for all."""
    sent = [_untyped(way.sight) for way in found]
    common = set.intersection(*map(set, sent)) if len(sent) > 1 else set()
    return [tuple(pair for pair in pairs if pair not in common) for pairs in sent]


def _untyped(sight: Sight) -> tuple[tuple[str, str], ...]:
    call, action = sight.call, sight.transition.action
    if call is None or (isinstance(action, Submit) and action.fields):
        return ()
    pairs = call.fields if call.write else call.query
    return tuple((name, value) for name, value in pairs if value and value != MASK)


def _variant(atlas: Atlas, way: Way, *, alone: bool) -> Variant:
    path: list[Action] = []
    states: list[str] = []
    slots: list[Slot] = []
    last = (way.chain[-1][0], way.sight.transition.action)
    for state, transition in way.chain:
        # A form that asks "sure?" is sent in two Transitions.
        own = _form_key(state, transition.action) == _form_key(*last)
        for action, name in _steps(transition.action, state):
            if name and own:
                slots.append(Slot(parameter=name, step=len(path)))
            path.append(action)
            states.append(state.id)
    sight = way.sight
    call = sight.call
    signatures = tuple(name for _, transition in way.chain for name in writes_of(transition.effect))
    return Variant(
        entity=_entity(atlas, way, alone=alone),
        path=tuple(path),
        slots=tuple(slots),
        states=tuple(states),
        signatures=signatures,
        target_path=call.path if call is not None else "",
        delta=delta_of(atlas.root, sight.target),
        flips=_flips(atlas.root, sight, atlas),
    )


def _form_key(state: State, action: Action) -> str:
    form = form_of(state, action)
    return form.key if form is not None else ""


def _entity(atlas: Atlas, way: Way, *, alone: bool) -> str:
    """The item's words; for one of several links to pages of one kind, the link's own."""
    if way.anchor is not None:
        return entity_text(way.anchor.state, way.anchor.element, atlas.root)
    if way.key and not alone and way.sight.effect.main in LIGHT:
        control = atlas.control(way.sight.transition)
        return control.label if control is not None else ""
    return ""


def _steps(action: Action, state: State) -> Iterator[tuple[Action, str]]:
    """The primitives of an action with the parameter that each carries; fields that already hold their
    value are left alone.
    """
    primitives = expand(action)
    fields: tuple[FieldInput, ...] = action.fields if isinstance(action, Submit) else ()
    for index, primitive in enumerate(primitives):
        name = fields[index].name if index < len(fields) else ""
        last = index == len(primitives) - 1
        if last or not name or not _holds(state, fields[index]):
            yield primitive, name


def _holds(state: State, field: FieldInput) -> bool:
    element = state.find(field.action.target.key)
    if element is None:
        return False
    match field.action.kind:
        case "type":
            return bool(element.value) and element.value == field.action.text
        case "select":
            return any(option.selected and option.value == field.action.value for option in element.options)
        case "check":
            return element.checked == field.action.checked
    return False


def _flips(root: State, sight: Sight, atlas: Atlas) -> tuple[Flip, ...]:
    """The control's own mark if that changed (a button that stays down has one, too); fields that still
    hold what was entered; else the first thing that was there neither at the start nor before the last
    step, or that was there both times and is gone.
    """
    control = atlas.control(sight.transition)
    after = sight.target.find(control.key) if control else None
    if after is not None and _was_checked(root, sight.source, after.key) not in {None, after.checked}:
        return (Flip(key=after.key, attribute="checked", value=str(after.checked).lower()),)
    held = tuple(_held(root, sight))
    if held:
        return held
    start, before, end = (_controls(state) for state in (root, sight.source, sight.target))
    come = [key for key in end if key not in start and key not in before]
    gone = [key for key in start if key in before and key not in end]
    changes = [*((key, "true") for key in come), *((key, "false") for key in gone)]
    return tuple(Flip(key=key, attribute="present", value=value) for key, value in changes[:1])


def _controls(state: State) -> dict[str, Element]:
    """Everything displayed but plain text, what can be used first."""
    shown = [each for each in state.elements if each.visible and each.role != "text"]
    return {each.key: each for each in sorted(shown, key=lambda each: not (each.clickable or each.editable))}


def _was_checked(root: State, source: State, key: str) -> bool | None:
    """A control's mark in the beginning; of one in a dialog, when it came up."""
    element = root.find(key) or source.find(key)
    return element.checked if element is not None else None


def _held(root: State, sight: Sight) -> Iterator[Flip]:
    """Fields of the end screen with the values that were entered, and that differ from the start."""
    action = sight.transition.action
    for field in action.fields if isinstance(action, Submit) else ():
        key, kind = field.action.target.key, field.action.kind
        before, after = root.find(key), sight.target.find(key)
        if after is None or kind == "upload":
            continue
        attribute: Literal["checked", "value", "selected"] = "value"
        attribute = "selected" if kind == "select" else "checked" if kind == "check" else attribute
        was, now = _reads(before, attribute), _reads(after, attribute)
        if now == field.value != was:
            yield Flip(key=key, attribute=attribute, value=now, parameter=field.name)


def _reads(element: Element | None, attribute: str) -> str:
    if element is None:
        return ""
    if attribute == "checked":
        return str(element.checked).lower()
    if attribute == "selected":
        return next((option.value for option in element.options if option.selected), element.value)
    return element.value

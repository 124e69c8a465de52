"""Near misses: executions that look like the task and that its verifier must refuse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.mining.keypoints import tells_entities
from pipeline.mining.paths import RETURN, fill, undo
from schemas.action import Action, Back, Check
from schemas.capability import Capability, Parameter, Variant
from schemas.effect import EffectClass, is_request
from schemas.task import NearMiss, Value

MOST = 4
"""Near misses of one plan."""

_GENTLE = {EffectClass.CREATE: 0, EffectClass.UPDATE: 1, EffectClass.TOGGLE: 1, EffectClass.SET: 1}
_REPEATED = frozenset({EffectClass.CREATE, EffectClass.UPDATE, EffectClass.SET})


@dataclass(frozen=True)
class Subject:
    """What a plan does, with all that a near miss of it is made from."""

    capability: Capability
    variant: Variant
    values: tuple[Value, ...]
    path: tuple[Action, ...]
    others: Mapping[str, Capability]
    """All atomic capabilities of the App by id."""
    wrong: tuple[Value, ...]
    """One of the values replaced by another valid one; empty where none can be."""
    intruder: Capability | None
    """A capability with another write, which the task does not allow."""

    @property
    def named(self) -> dict[str, Value]:
        """Values by parameter."""
        return {value.name: value for value in self.values}


def misses_of(subject: Subject, turn: int) -> tuple[NearMiss, ...]:
    """At most one of each kind, the most telling first. Every one is executed, so of the longest two each
    plan of a capability has one, in turn.
    """
    long = (_undone, _side_effect) if turn % 2 == 0 else (_side_effect, _undone)
    found = [
        miss
        for find in (_wrong_entity, _wrong_parameter, _half_done, _done_twice, *long)
        for miss in find(subject)
        if miss.path != subject.path
    ]
    return tuple(found[:MOST]) or tuple(_wrong_function(subject))


def _wrong_entity(subject: Subject) -> Iterator[NearMiss]:
    if not subject.variant.entity or not tells_entities(subject.capability, subject.variant):
        return
    needed = set(subject.named)
    for other in subject.capability.variants:
        if other.entity != subject.variant.entity and needed <= {slot.parameter for slot in other.slots}:
            path = fill(other, subject.named).path
            yield NearMiss(kind="wrong_entity", detail=other.entity, path=path)
            return


def _wrong_parameter(subject: Subject) -> Iterator[NearMiss]:
    if not subject.wrong:
        return
    path = fill(subject.variant, {value.name: value for value in subject.wrong}).path
    changed = next(wrong for wrong in subject.wrong if wrong not in subject.values)
    yield NearMiss(kind="wrong_parameter", detail=f"{changed.label}: {changed.shown}", path=path)


def _wrong_function(subject: Subject) -> Iterator[NearMiss]:
    """What may be mistaken for the task where nothing else of it can go wrong: the control beside."""
    own = subject.capability
    beside = [
        other
        for other in subject.others.values()
        if other.id != own.id and other.page == own.page and len(other.variants[0].path) == len(subject.path)
    ]
    alike = (other for other in beside if _role(other) == _role(own) and not other.parameters)
    other = min(alike, key=lambda other: other.id, default=None)
    if other is not None:
        yield NearMiss(kind="wrong_function", detail=other.name, path=other.variants[0].path)


def _role(capability: Capability) -> str:
    return capability.control.role if capability.control else ""


def _half_done(subject: Subject) -> Iterator[NearMiss]:
    if len(subject.path) > 1:
        yield NearMiss(kind="half_done", detail="all but the last step", path=subject.path[:-1])


def _undone(subject: Subject) -> Iterator[NearMiss]:
    effect = subject.capability.effect
    if effect is EffectClass.NAVIGATE:
        yield NearMiss(kind="undone", detail="gone back", path=(*subject.path, Back()))
    elif subject.capability.signature.startswith("ui ") and effect is EffectClass.OPEN:
        yield NearMiss(kind="undone", detail="started over", path=(*subject.path, RETURN))
    else:
        back = _taken_back(subject)
        if back:
            yield NearMiss(kind="undone", detail="taken back", path=(*subject.path, *back))


def _taken_back(subject: Subject) -> tuple[Action, ...]:
    inverse = subject.others.get(subject.capability.inverse)
    if inverse is None:
        return ()
    if inverse.id == subject.capability.id:
        return _from_start(_set_back(subject))
    if subject.variant.undo:
        return undo(subject.variant, _replaced(subject))
    same = (variant for variant in inverse.variants if variant.entity == subject.variant.entity)
    return _from_start(next((variant.path for variant in same if not variant.slots), ()))


def _from_start(path: tuple[Action, ...]) -> tuple[Action, ...]:
    return (RETURN, *path) if path else ()


def _replaced(subject: Subject) -> dict[str, str]:
    """Values that were seen on the screen, and what this plan has in their place."""
    return {
        old: value.shown
        for parameter in subject.capability.parameters
        for value in [subject.named.get(parameter.name)]
        if value is not None
        for old in parameter.accepted
        if len(old) > 1
    }


def _set_back(subject: Subject) -> tuple[Action, ...]:
    """The same once more with what the fields held before; a toggle needs no value."""
    last = subject.path[-1]
    if subject.capability.effect is EffectClass.TOGGLE and not subject.values:
        back = last.model_copy(update={"checked": not last.checked}) if isinstance(last, Check) else last
        return (*subject.path[:-1], back)
    parameters = {parameter.name: parameter for parameter in subject.capability.parameters}
    old = [_before(value, parameters[value.name]) for value in subject.values]
    first = subject.variant == subject.capability.variants[0]
    if not first or not old or not all(value.value for value in old):
        return ()
    return fill(subject.variant, {value.name: value for value in old}).path


def _before(value: Value, parameter: Parameter) -> Value:
    """What the field held before the path."""
    labels = {choice.value: choice.label for choice in parameter.choices}
    shown = labels.get(parameter.preset, parameter.preset)
    return value.model_copy(update={"value": parameter.preset, "shown": shown})


def _done_twice(subject: Subject) -> Iterator[NearMiss]:
    effect = subject.capability.effect
    # A setting that is made again, or a file that is saved again, is as it was.
    kept = effect is not EffectClass.CREATE and not is_request(subject.capability.signature)
    if effect in _REPEATED and not kept and not subject.capability.signature.startswith("ui "):
        path = (*subject.path, RETURN, *subject.path)
        yield NearMiss(kind="done_twice", detail="once more from the start", path=path)


def _side_effect(subject: Subject) -> Iterator[NearMiss]:
    if subject.intruder is not None:
        path = (*subject.intruder.variants[0].path, RETURN, *subject.path)
        yield NearMiss(kind="side_effect", detail=subject.intruder.name, path=path)


def intruder_for(capability: Capability, others: Sequence[Capability]) -> Capability | None:
    """The shortest other write: one with a signature of its own if there is one (one more of the same is
    refused by its number), and one that leaves existing items alone.
    """
    allowed = set(capability.variants[0].signatures)
    fit = [other for other in others if other.id != capability.id and other.variants[0].signatures]
    return min(
        fit,
        key=lambda other: (
            _shares(other, allowed),
            _GENTLE.get(other.effect, 2),
            len(other.variants[0].path),
            other.id,
        ),
        default=None,
    )


def _shares(capability: Capability, signatures: set[str]) -> bool:
    return bool(set(capability.variants[0].signatures) & signatures)

"""Paths of a plan: a Variant's steps with the values that the task names, and nothing else typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from schemas.action import Action, Check, Open, Select, Type, Upload, target_of
from schemas.capability import Slot, Variant
from schemas.task import Value

RETURN = Open(address="")
"""Back to where every path starts."""

SECRET = "{secret:"  # noqa: S105 - the mark of a placeholder


@dataclass(frozen=True)
class Filled:
    """A path with its values, and which step carries which."""

    path: tuple[Action, ...]
    slots: tuple[Slot, ...]


def fill(variant: Variant, values: Mapping[str, Value]) -> Filled:
    """The Variant's path with ``values`` by parameter name. A step of a parameter that has none is left
    out, so that the field keeps what it holds; the last step always stays.
    """
    by_step = {slot.step: slot.parameter for slot in variant.slots}
    path: list[Action] = []
    slots: list[Slot] = []
    for step, action in enumerate(variant.path):
        name = by_step.get(step, "")
        if name in values:
            slots.append(Slot(parameter=name, step=len(path)))
            path.append(enter(action, values[name]))
        elif not name or step == len(variant.path) - 1:
            path.append(action)
    return Filled(tuple(path), tuple(slots))


def enter(action: Action, value: Value) -> Action:
    """The same step with another value."""
    match action:
        case Type():
            return action.model_copy(update={"text": value.value})
        case Select():
            return action.model_copy(update={"value": value.value, "label": value.shown})
        case Check() if value.value in {"true", "false"}:
            return action.model_copy(update={"checked": value.value == "true"})
        case Upload():
            return action.model_copy(update={"content": value.value})
    return action


def needs_secret(variant: Variant, parameter: str) -> bool:
    """Whether the step of a parameter types one of the App's secrets, which no task may tell."""
    steps = (variant.path[slot.step] for slot in variant.slots if slot.parameter == parameter)
    return any(isinstance(step, Type) and SECRET in step.text for step in steps)


def undo(variant: Variant, replaced: Mapping[str, str]) -> tuple[Action, ...]:
    """The Variant's steps back, with the values that were seen replaced by those of the plan."""
    return tuple(_renamed(action, replaced) for action in variant.undo)


def _renamed(action: Action, replaced: Mapping[str, str]) -> Action:
    target = target_of(action)
    if target is None:
        return action
    item = target.item
    for old, new in replaced.items():
        item = item.replace(old, new)
    return action.model_copy(update={"target": target.model_copy(update={"item": item})})

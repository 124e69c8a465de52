"""What looks like a task and is not."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.mining.misses import Subject, misses_of
from schemas.action import Click, Target
from schemas.capability import Capability, Variant
from schemas.effect import EffectClass


def press(key: str, role: str = "button") -> tuple[Click, ...]:
    return (Click(target=Target(key=key, template=key, role=role, label=key)),)


def made(world: Any, name: str, path: tuple[Click, ...], **more: Any) -> Capability:
    more = {"effect": EffectClass.SET, "signature": f"ui {name}", "page": "Desk", **more}
    found: Capability = world.capability(
        name, control=path[-1].target, variants=(Variant(path=path),), **more
    )
    return found


def subject(capability: Capability, *others: Capability) -> Subject:
    known = {each.id: each for each in (capability, *others)}
    variant = capability.variants[0]
    return Subject(
        capability=capability,
        variant=variant,
        values=(),
        path=variant.path,
        others=known,
        wrong=(),
        intruder=None,
    )


def test_where_nothing_of_it_can_go_wrong_the_control_beside_is_pressed(world: Any) -> None:
    own = made(world, "one", press("1"))
    others = (
        made(world, "box", press("box", "checkbox")),
        made(world, "far", press("far"), page="Elsewhere"),
        made(world, "long", (*press("menu"), *press("item"))),
        made(world, "two", press("2")),
    )
    (miss,) = misses_of(subject(own, *others), 0)
    assert (miss.kind, miss.detail, miss.path) == ("wrong_function", "two", press("2"))
    assert misses_of(subject(own, *others[:-1]), 0) == ()


@pytest.mark.parametrize(
    "signature, effect, repeated",
    [
        ("POST /edit", EffectClass.UPDATE, True),
        ("local todos", EffectClass.CREATE, True),
        ("setting view/wrap", EffectClass.SET, False),
        ("file Documents/*", EffectClass.UPDATE, False),
        ("ui sc_1", EffectClass.CREATE, False),
    ],
)
def test_only_what_leaves_a_second_trace_can_be_done_twice(
    world: Any, signature: str, effect: EffectClass, *, repeated: bool
) -> None:
    path = (*press("menu"), *press("item"))
    own = made(world, "one", path, signature=signature, effect=effect)
    kinds = {miss.kind for miss in misses_of(subject(own), 0)}
    assert ("done_twice" in kinds) == repeated
    assert "half_done" in kinds

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from schemas.action import (
    Action,
    Click,
    Drag,
    FieldInput,
    Scroll,
    Select,
    Submit,
    Target,
    Type,
    action_id,
    target_of,
)
from schemas.screen import Box, Element, Locator


def target(key: str = "k", label: str = "Add") -> Target:
    return Target(key=key, template=key, role="button", label=label)


def test_an_action_has_one_id_in_every_language() -> None:
    english = Click(target=target(label="Add"))
    chinese = Click(
        target=target(label="添加").model_copy(update={"locators": (Locator(kind="text", value="添加"),)})
    )
    assert action_id(english) == action_id(chinese)
    assert action_id(english) != action_id(Click(target=target(key="other")))


def test_the_option_chosen_counts_but_not_its_label() -> None:
    first = Select(target=target(), value="1", label="Yes")
    assert action_id(first) == action_id(first.model_copy(update={"label": "是"}))
    assert action_id(first) != action_id(first.model_copy(update={"value": "2"}))


def test_what_something_is_dragged_onto_counts_and_is_known_by_its_key() -> None:
    first = Drag(target=target(), onto=target("bin", label="Trash"))
    assert action_id(first) == action_id(Drag(target=target(), onto=target("bin", label="回收站")))
    assert action_id(first) != action_id(Drag(target=target(), onto=target("box", label="Trash")))


def test_typed_text_counts() -> None:
    assert action_id(Type(target=target(), text="a")) != action_id(Type(target=target(), text="b"))


def test_a_submit_is_its_form_fields_and_button() -> None:
    field = FieldInput(name="what", value="Dinner", action=Type(target=target("w"), text="Dinner"))
    sent = Submit(form="f", fields=(field,), submit=target())
    assert action_id(sent) == action_id(sent.model_copy(update={"submit": target(label="Ok")}))
    assert action_id(sent) != action_id(sent.model_copy(update={"fields": ()}))
    assert target_of(sent) == target()


def test_the_union_is_told_apart_by_kind_and_closed() -> None:
    adapter: TypeAdapter[Action] = TypeAdapter(Action)
    scroll = adapter.validate_python({"kind": "scroll", "reveal": "down", "pixels": 300})
    assert isinstance(scroll, Scroll)
    assert target_of(scroll) is None
    with pytest.raises(ValidationError):
        adapter.validate_python({"kind": "teleport"})


def test_a_box_is_half_open_and_its_centre_lies_inside() -> None:
    box = Box(x1=2, y1=3, x2=5, y2=4)
    assert box.area == 3
    assert box.holds(*box.centre)
    assert not box.holds(5, 3)


def test_a_target_keeps_what_finds_the_element_again() -> None:
    element = Element(key="k", template="t", role="button", text="Go", item="row 1")
    made = Target.of(element)
    assert (made.key, made.template, made.label, made.item) == ("k", "t", "Go", "row 1")

from __future__ import annotations

from typing import Any

from pipeline.writing.words import said_values, words_of
from schemas.capability import ParameterKind
from schemas.effect import EffectClass
from schemas.task import TaskPlan, Value


def test_the_apps_own_imperative_is_the_action(a_plan: Any) -> None:
    words = words_of(a_plan())

    assert (words.action, words.control, words.place) == ("Add a bill", "", "Bills")
    assert [field.plain for field in words.fields] == [False, True, True]


def test_a_verb_alone_is_no_action_and_says_where_it_is_meant(a_plan: Any) -> None:
    words = words_of(a_plan(effect=EffectClass.DELETE, name="delete", entity="Dinner", values=()))

    assert (words.action, words.control, words.place, words.entity) == ("", "", "Bills", "Dinner")


def test_a_heading_that_can_mean_nothing_else_is_preferred_and_the_button_kept(a_plan: Any) -> None:
    words = words_of(a_plan(name="Submit and add a new one", object="Add a bill"))

    assert (words.action, words.control) == ("Add a bill", "Submit and add a new one")


def test_what_was_put_behind_a_name_is_the_place(a_plan: Any) -> None:
    plan = a_plan(effect=EffectClass.OPEN, name="More options (Add a bill)", object="Add a bill", values=())

    assert (words_of(plan).control, words_of(plan).place) == ("More options", "Add a bill")


def test_brackets_of_the_apps_own_stay(a_plan: Any) -> None:
    plan = a_plan(effect=EffectClass.OPEN, lang="zh-Hans", name="中文 (简体)", object="", title="", values=())

    assert words_of(plan).control == "中文 (简体)"


def test_a_screen_is_called_what_the_app_calls_it_even_if_that_is_an_imperative(a_plan: Any) -> None:
    words = words_of(a_plan(effect=EffectClass.NAVIGATE, name="Add a bill", values=()))

    assert (words.action, words.place) == ("", "Add a bill")


def test_a_value_whose_label_is_the_action_is_the_item(a_plan: Any) -> None:
    value = Value(
        name="name", label="Add participant", kind=ParameterKind.NAME, value="Crystal", shown="Crystal"
    )

    words = words_of(a_plan(name="Add participant", values=(value,)))

    assert (words.entity, words.fields) == ("Crystal", ())


def test_secrets_and_the_entity_are_not_said_as_values(editing: TaskPlan) -> None:
    code = Value(name="c", label="Code", kind=ParameterKind.PASSWORD, value="{secret:code}", shown="***")
    again = Value(name="entity", label="", kind=ParameterKind.ENTITY, value="Groceries", shown="Groceries")

    assert (
        said_values(editing.model_copy(update={"values": (code, again, *editing.values)})) == editing.values
    )


def test_of_screens_that_are_called_the_same_it_says_whose_this_is(a_plan: Any) -> None:
    words = words_of(
        a_plan(effect=EffectClass.NAVIGATE, name="History (The panel)", page="The panel", values=())
    )

    assert (words.place, words.entity) == ("History", "The panel")

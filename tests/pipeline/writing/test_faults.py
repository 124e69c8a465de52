from __future__ import annotations

from typing import Any

import pytest

from pipeline.writing.faults import fault_of
from pipeline.writing.words import words_of
from schemas.capability import ParameterKind
from schemas.effect import EffectClass
from schemas.task import TaskPlan, Value


@pytest.mark.parametrize(
    "text",
    [
        "Add a bill titled “Dinner at the harbour” that Alice paid, with a total of 42.50.",
        "Add a bill with “What?” “Dinner at the harbour”, “Who paid?” Alice and “How much?” 42.50.",
    ],
)
def test_a_good_sentence_has_no_fault(text: str, a_plan: Any, said: Any) -> None:
    assert fault_of(said(text, a_plan()), words_of(a_plan())) == ""


@pytest.mark.parametrize(
    "text, fault",
    [
        ("Add a bill “Dinner at the harbour” paid by Alice.", "42.50"),
        ("Add a bill “Dinner at the harbour” paid by Alice, total 42.50, with Bob.", "Bob"),
        ("Add a bill “Dinner at the harbour” paid by Alice, total 42.50 of 99.", "99"),
        ("Add a bill “Dinner at the harbour” for 42.50 with Alice.", "Who paid?"),
        ("Add a bill “Dinner at the harbour” at the harbour, paid by Alice, total 42.50.", "again"),
        ("Add a bill “Dinner at the harbour” paid by Alice. The total is 42.50.", "one sentence"),
        ("Click to add a bill “Dinner at the harbour” paid by Alice, total 42.50.", "how"),
        ("Add the bill: “Dinner at the harbour”, total 42.50, paid by Alice.", "form"),
        ("Add a bill “Dinner at the harbour” paid by Alice and Alice, total 42.50.", "Alice"),
        ("Remove “Dinner at the harbour” paid by Alice, total 42.50.", "create"),
        ("Add “Dinner at the harbour” paid by Alice, total 42.50.", "about"),
        ("Füge die Rechnung „Dinner at the harbour“ hinzu, bezahlt von Alice, 42.50.", "Rechnung"),
    ],
)
def test_each_fault_is_found(text: str, fault: str, a_plan: Any, said: Any) -> None:
    assert fault in fault_of(said(text, a_plan()), words_of(a_plan()))


@pytest.mark.parametrize(
    "text, good",
    [
        ("Change the amount of the bill “Groceries” to 42.50.", True),
        ("Edit the bill “Groceries” at 42.50.", False),
    ],
)
def test_a_change_says_what_is_changed(text: str, editing: TaskPlan, said: Any, *, good: bool) -> None:
    assert (fault_of(said(text, editing), words_of(editing)) == "") is good


def test_the_item_stands_before_its_new_value(editing: TaskPlan, said: Any) -> None:
    text = "Set the amount to 42.50 for the bill “Groceries”."

    assert "before" in fault_of(said(text, editing), words_of(editing))


def test_a_bound_is_not_an_amount(a_plan: Any, said: Any) -> None:
    most = Value(name="m", label="Amount max", kind=ParameterKind.AMOUNT, value="9", shown="9")
    plan = a_plan(effect=EffectClass.SEARCH, verb="search", name="Filter", values=(most,))

    assert "Amount max" in fault_of(said("Search the bills with an amount of 9.", plan), words_of(plan))


def test_a_chinese_sentence_in_the_other_script_is_refused(a_plan: Any, said: Any) -> None:
    plan = a_plan(lang="zh-Hans", effect=EffectClass.NAVIGATE, name="统计", title="统计", values=())

    assert fault_of(said("打开“统计”页面。", plan), words_of(plan)) == ""
    assert fault_of(said("打開“统计”頁面。", plan), words_of(plan)) != ""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.writing.repair import repaired
from pipeline.writing.words import words_of
from schemas.task import TaskPlan


@pytest.mark.parametrize(
    "written, right",
    [
        ("Set the amount of groceries to 42.50", "Set the amount of “Groceries” to 42.50."),
        ('Set the amount of "Groceries" to 42.50.', "Set the amount of “Groceries” to 42.50."),
        ("Set the amount of the groceries to 42.50.", "Set the amount of “Groceries” to 42.50."),
        ("Set the amount of “Groceries” to 42.50.", "Set the amount of “Groceries” to 42.50."),
        ("Set groceries of Groceries to 42.50.", "Set groceries of “Groceries” to 42.50."),
        ("Set the amount to 42.50.", "Set the amount to 42.50."),
        ("Change the bill: “Groceries”.", "Change the bill “Groceries”."),
        ("Change the bill: groceries.", "Change the bill “Groceries”."),
        ("", ""),
    ],
)
def test_what_was_certainly_meant_is_put_right(written: str, right: str, editing: TaskPlan) -> None:
    assert repaired(written, words_of(editing), "en") == right


def test_chinese_ends_in_its_own_full_stop(a_plan: Any) -> None:
    plan = a_plan(lang="zh-Hans", values=())

    assert repaired("打开「统计」", words_of(plan), "zh-Hans") == "打开“统计”。"

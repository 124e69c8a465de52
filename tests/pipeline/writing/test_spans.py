from __future__ import annotations

from typing import Any

import pytest

from pipeline.writing.spans import places, repeated, spans_of
from schemas.task import TaskPlan

TEXT = "Add a bill with “What?” “Dinner at the harbour”, “Who paid?” Alice and “How much?” 42.50."


def test_every_word_of_the_plan_has_its_span(a_plan: Any) -> None:
    found = [(span.source, span.of, TEXT[span.start : span.end]) for span in spans_of(TEXT, a_plan())]

    assert found == [
        ("verb", "create", "Add"),
        ("label", "Add a bill", "Add a bill"),
        ("label", "What?", "What?"),
        ("value", "what", "Dinner at the harbour"),
        ("label", "Who paid?", "Who paid?"),
        ("value", "payer", "Alice"),
        ("label", "How much?", "How much?"),
        ("value", "amount", "42.50"),
    ]


def test_a_value_inside_a_longer_one_does_not_count(a_plan: Any) -> None:
    plan = a_plan()
    longer = plan.values[0].model_copy(update={"shown": "Dinner with Alice"})
    plan = plan.model_copy(update={"values": (longer, plan.values[1])})

    spans = spans_of("Add a bill “Dinner with Alice”.", plan)

    assert [span.of for span in spans if span.source == "value"] == ["what"]


@pytest.mark.parametrize(
    "text, words, found",
    [
        ("pay 42.50", "42", False),
        ("pay 42.", "42", True),
        ("金额为42元", "42", True),
        ("Malice", "Alice", False),
        ("给Alice添加", "Alice", True),
    ],
)
def test_words_end_where_letters_and_digits_do(text: str, words: str, *, found: bool) -> None:
    assert bool(list(places(text, words))) is found


def test_a_value_said_twice_is_noticed(editing: TaskPlan) -> None:
    text = "Change “Groceries” so that Groceries costs 42.50."

    assert repeated(text, editing, spans_of(text, editing)) == "Groceries"

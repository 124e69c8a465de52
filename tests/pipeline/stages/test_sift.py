from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.stage import run
from pipeline.stages.sift import Sift
from schemas.proof import Candidate, Fault, Gate, TaskSet
from schemas.rejection import Rejection


class Flat:
    """A ranker to whom everything is equally far, so that shared words decide."""

    def rank(self, _query: str, passages: Sequence[str]) -> list[tuple[int, float]]:
        return [(at, 0.8) for at in range(len(passages))]


@pytest.fixture
def sifted(world: Any) -> dict[str, Candidate | Rejection]:
    """One good task and one that falls at each of the four gates."""
    name, amount = ("value", "name", "Bread"), ("value", "amount", "4")
    texts = {
        "tk_1": "Add an item, Bread, Amount 4.",
        "tk_2": "Add an item, Bread, Amount 4!",
        "tk_3": "Add an item, Bread, Amount 4, at noon with Bob.",
        "tk_4": "add Bread s’il te plaît à la liste des choses que je dois encore acheter, amount 4.",
        "tk_5": "Set up Bread with the theme, 4 of it.",
    }
    tasks = [
        world.add_task(world.words(text, name, amount)).model_copy(update={"id": key})
        for key, text in texts.items()
    ]
    nodes = (world.capability("Add item", ["Amount"]), world.capability("Settings", ["Theme", "Set up"]))
    stage = Sift(embedder=Flat())
    results = list(run(stage, [TaskSet(tree=world.tree(*nodes), tasks=tuple(tasks))]))
    ids = [result.task.id if isinstance(result, Candidate) else result.item for result in results]
    assert ids == list(texts)
    return dict(zip(ids, results, strict=True))


def test_a_good_task_becomes_a_candidate_with_four_checks(sifted: dict[str, Any]) -> None:
    good = sifted["tk_1"]
    assert isinstance(good, Candidate)
    gates = [Gate.GROUNDED, Gate.LANGUAGE, Gate.UNIQUE, Gate.UNAMBIGUOUS]
    assert [check.gate for check in good.checks] == gates
    assert all(check.passed for check in good.checks)


@pytest.mark.parametrize(
    "task, reason, detail",
    [
        ("tk_2", "unique", "says the same as tk_1"),
        ("tk_3", "grounded", "the name 'Bob' has no source"),
        ("tk_4", "language", "it speaks fr"),
        ("tk_5", "unambiguous", "'Settings'"),
    ],
)
def test_a_task_falls_at_the_first_gate_that_it_fails(
    sifted: dict[str, Any], task: str, reason: str, detail: str
) -> None:
    fallen = sifted[task]
    assert isinstance(fallen, Rejection)
    assert (fallen.stage, fallen.reason, fallen.fault) == ("sift", reason, Fault.TASK)
    assert detail in fallen.detail
    assert fallen.app == "scripted"
    assert fallen.lang == "en"
    assert fallen.text

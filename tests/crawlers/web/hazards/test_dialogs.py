"""Native dialogs: both answers are known, and nothing hangs."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.effect import Outcome

pytestmark = pytest.mark.slow


def test_p08_both_answers_to_confirm_are_edges(stage: Any) -> None:
    graph = stage.explore("/confirm.html", actions=8)
    states = graph.by_id()
    asked = next(state for state in graph.states if state.dialog)
    assert asked.dialog.message == "Sure?"
    assert asked.image, "pictured as it was before the dialog"
    answers = {
        edge.action.accept: states[edge.target].texts()[-1]
        for edge in graph.transitions
        if edge.source == asked.id
    }
    assert answers == {False: "Cancel", True: "OK"}
    assert Outcome.DIALOG in {edge.effect.outcome for edge in graph.transitions}


def test_p08_nothing_is_agreed_to_where_it_cannot_be_put_back(stage: Any) -> None:
    graph = stage.explore("/confirm.html", actions=8, static="")
    accepted = [edge for edge in graph.transitions if edge.action.kind == "respond" and edge.action.accept]
    assert not accepted
    assert ("Sure?", "risk_irreversible") in {(each.label, each.reason) for each in graph.untried}


def test_p08_a_page_that_minds_being_left_is_left_or_stayed_on(stage: Any) -> None:
    graph = stage.explore("/leave.html", actions=10)
    states = graph.by_id()
    asked = next(state for state in graph.states if state.dialog)
    assert asked.dialog.kind == "beforeunload"
    ends = {
        edge.action.accept: states[edge.target].title for edge in graph.transitions if edge.source == asked.id
    }
    assert ends == {False: "Draft", True: "Plain"}

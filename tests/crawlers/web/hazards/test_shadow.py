"""Shadow trees, open and closed, inside one another."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.effect import Outcome

pytestmark = pytest.mark.slow


def test_p04_twins_in_nested_shadow_trees_are_told_apart(stage: Any) -> None:
    state = stage.go("/shadow-nested.html")
    dead, live = [element for element in state.elements if element.name == "Order now"]
    assert dead.key != live.key
    stage.click(dead)
    assert stage.see().id == state.id
    stage.click(live)
    assert "Ordered" in stage.said()


def test_p04_their_transitions_differ(stage: Any) -> None:
    graph = stage.explore("/shadow-nested.html", actions=4)
    ends = {edge.action.target.key: edge.effect.outcome for edge in graph.transitions}
    assert list(ends.values()) == [Outcome.UNCHANGED, Outcome.CHANGED]

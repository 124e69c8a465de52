"""Interfaces that are drawn: an empty tree is not an empty App."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.screen import Quality

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mode", ["plain", "flutter"])
def test_p21_a_drawn_interface_is_not_an_empty_app(stage: Any, mode: str) -> None:
    state = stage.go(f"/canvas.html?mode={mode}")
    assert state.quality is Quality.TREE_MISSING
    graph = stage.explore(f"/canvas.html?mode={mode}", actions=4)
    assert not graph.transitions
    assert [(each.label, each.reason) for each in graph.untried] == [("Drawn", "tree_missing")]


def test_p21_tools_around_a_drawing_do_not_make_up_for_it(stage: Any) -> None:
    state = stage.go("/canvas.html?mode=tools")
    assert state.quality is Quality.PARTIAL
    assert stage.labels(state) == {"Undo"}

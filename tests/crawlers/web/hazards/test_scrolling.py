"""Lists that are longer than what is seen of them: cut off, virtual, and without end."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from schemas.action import Scroll, Target
from schemas.graph import FunctionGraph

pytestmark = pytest.mark.slow


def rows(state: Any) -> list[str]:
    return [each.label for each in state.elements if each.role == "button" and each.label.startswith("Row")]


def test_p10_what_is_cut_off_has_no_box_and_can_be_reached(stage: Any) -> None:
    state = stage.go("/plain-list.html")
    shown = [each for each in state.elements if each.label.startswith("Take") and each.box]
    frame = next(each for each in state.elements if each.scrollable).box
    assert 4 <= len(shown) <= 5, "200 px hold five rows of 40"
    assert all(frame.y1 <= each.box.y1 and each.box.y2 <= frame.y2 for each in shown)
    far = stage.at(state, "Take 25")
    assert (far.visible, far.box, far.occluded) == (True, None, False)
    stage.click(far)
    assert "Took 25" in stage.said()


def test_p10_what_is_folded_away_is_not_displayed(stage: Any) -> None:
    state = stage.go("/plain-list.html")
    assert "Folded away" not in state.texts()
    assert not stage.at(state, "Folded").visible


def test_p10_rows_of_a_virtual_list_are_seen_scroll_by_scroll(stage: Any) -> None:
    first = stage.go("/virtual.html")
    assert rows(first) == [f"Row {at}" for at in range(1, 11)]
    holder = next(each for each in first.elements if each.scrollable)
    stage.driver.perform(Scroll(reveal="down", pixels=360, target=Target.of(holder)))
    second = stage.see()
    assert rows(second) == [f"Row {at}" for at in range(10, 20)]
    assert (second.structure, second.id == first.id) == (first.structure, False)


def test_p10_the_crawl_scrolls_a_virtual_list_a_few_times(stage: Any) -> None:
    graph = stage.explore("/virtual.html", actions=40)
    scrolled = [edge for edge in graph.transitions if edge.action.kind == "scroll"]
    assert len(scrolled) == 5
    seen = {row for state in graph.states for row in rows(state)}
    assert len(seen) == 50
    assert len({state.image for state in graph.states if not state.dialog}) == len(graph.states)
    for state in graph.states:
        assert_rows_are_drawn(state, stage.images[state.image])


def assert_rows_are_drawn(state: Any, png: bytes) -> None:
    """Every row that has a box has something in it; nothing has one outside of the list."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    holder = next(each for each in state.elements if each.scrollable).box
    boxes = [each.box for each in state.elements if each.label.startswith("Row") and each.box]
    assert boxes
    for box in boxes:
        assert holder.y1 <= box.y1 < box.y2 <= holder.y2
        assert len(image.crop((box.x1, box.y1, box.x2, box.y2)).getcolors(10_000)) > 1


def test_p11_a_feed_without_end_is_bounded_and_one_template(stage: Any) -> None:
    graph: FunctionGraph = stage.explore("/feed.html", actions=40)
    assert graph.coverage.actions < 40, "the budget was not used up"
    scrolled = [edge for edge in graph.transitions if edge.action.kind == "scroll"]
    assert 1 <= len(scrolled) <= 5
    assert len({state.structure for state in graph.states}) == 1
    likes = {
        element.template for state in graph.states for element in state.elements if element.label == "Like"
    }
    assert len(likes) == 1

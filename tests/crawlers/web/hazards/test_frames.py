"""Frames: under pointers, of other origins, inside one another, and framesets."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.action import Select, Target, Type
from schemas.screen import Quality

pytestmark = pytest.mark.slow


def test_p01_a_frame_under_a_pointer_is_read_and_used(stage: Any) -> None:
    state = stage.go("/frame-pointer.html")
    inside = stage.at(state, "Inside", "button")
    assert (inside.clickable, inside.occluded, state.quality) == (True, False, Quality.OK)
    assert inside.frame == ("#card",)
    # 50 of padding, 3 of border and 8 of margin inside: the box is one of the page.
    assert (inside.box.x1, inside.box.y1) == (50 + 8 + 3 + 8, 30 + 8 + 3 + 8)
    stage.press("Inside")
    assert "Pressed" in stage.said()


def test_p01_what_a_frame_does_not_show_has_no_box_and_can_be_reached(stage: Any) -> None:
    state = stage.go("/frame-pointer.html")
    high, deep = stage.at(state, "High"), stage.at(state, "Deep")
    assert high.box is not None
    assert (deep.box, deep.visible, deep.occluded) == (None, True, False)
    gesture = stage.press("Deep").gesture
    assert gesture.y < state.height
    assert "Reached" in stage.said()


def test_p01_what_stands_before_a_frame_covers_its_contents(stage: Any) -> None:
    state = stage.go("/frame-cover.html")
    assert [stage.at(state, name).occluded for name in ("Below", "Above")] == [True, False]


def test_p02_a_frame_of_another_origin_of_the_app_is_read_and_used(stage: Any) -> None:
    state = stage.go("/frame-foreign.html")
    assert state.quality is Quality.OK
    assert stage.at(state, "Reserve").frame == ("#booking",)
    assert stage.at(state, "Reserve").box is None, "it is below the fold"
    assert stage.at(state, "Ask us").frame[0] == "#booking"
    stage.driver.perform(Type(target=Target.of(stage.at(state, "Name", "textbox")), text="Ada"))
    stage.driver.perform(Select(target=Target.of(stage.at(state, "Room")), value="d", label="Double"))
    stage.driver.perform(Select(target=Target.of(stage.at(state, "Soft")), value="hard", label="Hard"))
    shown = stage.see()
    reserve, frame = stage.at(shown, "Reserve"), stage.at(shown, "", "iframe")
    assert frame.box.holds(*reserve.box.centre)
    evidence = stage.click(reserve)
    assert reserve.box.holds(evidence.gesture.x, evidence.gesture.y)
    assert "d hard for Ada" in stage.said(), "the frame's own timer was waited for"
    sent = next(request for request in evidence.requests if request.method == "POST")
    assert (sent.route, sent.fields) == ("/reserve", (("guest", "Ada"), ("room", "d"), ("bed", "hard")))
    stage.press("Ask us")
    assert "Sent" in stage.said()
    assert stage.at(stage.see(), "Terms").href == "/widget-terms.html"
    stage.press("Terms")
    assert "House rules" in stage.said()
    assert stage.see().route == "/frame-foreign.html"


def test_p02_a_frame_that_may_not_be_loaded_is_a_hole_and_no_function(stage: Any) -> None:
    state = stage.go("/frame-unknown.html")
    frame = stage.at(state, "", "iframe")
    assert (frame.box.x2 - frame.box.x1, frame.box.y2 - frame.box.y1) == (404, 204)
    assert state.quality is Quality.PARTIAL
    assert stage.labels(state) == {"Their hotel", ""}
    assert not any(element.clickable for element in state.elements)


def test_p03_framesets_are_read_and_used(stage: Any) -> None:
    state = stage.go("/frameset.html")
    assert {"Rules", "Plain page"} <= stage.labels(state)
    stage.press("Rules")
    assert {"Rules", "House rules"} <= stage.labels(stage.see())

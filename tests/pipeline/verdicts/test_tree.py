from typing import Any

import pytest

from pipeline.verdicts.tree import TreeJudge
from schemas.screen import Element, Option, Quality
from schemas.task import Answered, ElementIs, Happened, Keypoint, Shown, Visited
from schemas.trajectory import Trajectory

ADDED = Shown(id="k", text="Dinner")
REMOVED = Shown(id="k", text="Dinner", present=False)


def voted(keypoint: Keypoint, done: Trajectory) -> bool | None:
    return TreeJudge()(keypoint, done).met


def test_a_screen_is_known_by_its_structure(make: Any) -> None:
    there = Visited(id="k", route="/bills", structure="sc_bills")
    start, bills = make.screen(), make.screen(route="/bills", structure="sc_bills")
    assert voted(there, make.film([start, bills])) is True
    assert voted(there, make.film([start, bills, start])) is False
    assert voted(there.model_copy(update={"final": False}), make.film([start, bills, start])) is True
    assert voted(there, make.film([start])) is False


def test_a_route_tells_a_screen_only_where_the_episode_did_not_start(make: Any) -> None:
    start = make.screen(route="/")
    there = Visited(id="k", route="/edit/{}", structure="sc_edit")
    assert voted(there, make.film([start, make.screen(route="/edit/{}", structure="sc_other")])) is True
    dialog = Visited(id="k", route="/", structure="sc_dialog")
    assert voted(dialog, make.film([start, make.screen(route="/", structure="sc_other")])) is False


def test_a_text_must_be_shown_more_often_than_at_the_start(make: Any) -> None:
    before, after = make.screen("Bills"), make.screen("Bills", "Dinner 10")
    assert voted(ADDED, make.film([before, after])) is True
    assert voted(ADDED, make.film([after])) is False, "it was there before"
    assert voted(ADDED, make.film([before, after, before])) is False, "it did not stay"
    assert voted(ADDED, make.film([after, make.screen("Dinner 10", "Dinner 12")])) is True


def test_a_text_must_be_shown_less_often_where_it_has_to_go(make: Any) -> None:
    before, after = make.screen("Dinner 10", "Dinner 12"), make.screen("Dinner 10")
    assert voted(REMOVED, make.film([before, after])) is True
    assert voted(REMOVED, make.film([before])) is False
    assert voted(REMOVED, make.film([after, before])) is False


@pytest.mark.parametrize(
    "quality", [Quality.PARTIAL, Quality.UNSETTLED, Quality.TREE_MISSING, Quality.BLANK, Quality.WALL]
)
def test_absence_is_never_concluded_from_a_degraded_screen(make: Any, quality: Quality) -> None:
    full, empty = make.screen("Dinner"), make.screen(quality=quality)
    assert voted(REMOVED, make.film([full, empty])) is None
    assert voted(ADDED, make.film([make.screen(), empty])) is None
    assert voted(ADDED, make.film([empty, full])) is None, "it may have been there at the start"
    assert voted(Visited(id="k", route="/x", structure="sc_x"), make.film([full, empty])) is None
    gone = ElementIs(id="k", key="done", attribute="present", value="false")
    assert voted(gone, make.film([full, empty])) is None


def test_an_error_page_is_what_it_is(make: Any) -> None:
    failed = make.screen("500", quality=Quality.ERROR)
    assert voted(ADDED, make.film([make.screen(), failed])) is False


def test_what_a_degraded_screen_does_show_counts(make: Any) -> None:
    seen = make.screen("Dinner", quality=Quality.UNSETTLED)
    assert voted(ADDED, make.film([make.screen(), seen])) is True


@pytest.mark.parametrize(
    "attribute, before, after, value",
    [
        ("checked", {"checked": False}, {"checked": True}, "true"),
        ("value", {"value": "1"}, {"value": "20"}, "20"),
        ("present", {"visible": False}, {"visible": True}, "true"),
        (
            "selected",
            {"options": (Option(value="a", label="A", selected=True),)},
            {"options": (Option(value="b", label="B", selected=True),)},
            "b",
        ),
    ],
)
def test_an_element_must_have_changed_to_what_is_wanted(
    make: Any, attribute: Any, before: Any, after: Any, value: Any
) -> None:
    bare = Element(key="field", template="field", role="textbox")
    wanted = ElementIs(id="k", key="field", attribute=attribute, value=value)
    first, last = (make.screen(elements=[bare.model_copy(update=change)]) for change in (before, after))
    assert voted(wanted, make.film([first, last])) is True
    assert voted(wanted, make.film([last])) is False, "it was so before"
    assert voted(wanted, make.film([first])) is False


def test_an_element_that_is_gone_has_no_value(make: Any) -> None:
    field = Element(key="field", template="field", role="textbox", value="1")
    wanted = ElementIs(id="k", key="field", attribute="value", value="2")
    assert voted(wanted, make.film([make.screen(elements=[field]), make.screen()])) is False


def test_an_answer_must_be_right_and_seen(make: Any) -> None:
    wanted = Answered(id="k", value="42.00", answer_kind="number")
    seen = [make.screen(), make.screen("Total 42")]
    assert voted(wanted, make.film(seen, answer="42")) is True
    assert voted(wanted, make.film(seen, answer="43")) is False
    assert voted(wanted, make.film(seen)) is False
    assert voted(wanted, make.film([make.screen()], answer="42")) is False, "from memory"
    blurred = make.screen(quality=Quality.PARTIAL)
    assert voted(wanted, make.film([blurred], answer="42")) is None


def test_every_item_of_a_list_answer_must_be_seen(make: Any) -> None:
    wanted = Answered(id="k", value="Ann, Bob", answer_kind="list")
    assert voted(wanted, make.film([make.screen("Ann", "Bob")], answer="bob, ann")) is True
    assert voted(wanted, make.film([make.screen("Ann")], answer="bob, ann")) is False


def test_it_abstains_on_what_is_behind_the_screen(make: Any) -> None:
    assert voted(Happened(id="k", signature="POST /add"), make.film([make.screen()])) is None


def test_it_dates_what_it_sees(make: Any) -> None:
    done = make.film([make.screen(), make.screen(), make.screen("Dinner")])
    assert TreeJudge().moment(ADDED, done) == 1
    assert TreeJudge().moment(Happened(id="k", signature="x"), done) is None

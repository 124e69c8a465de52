"""Sameness: what comes and goes on one screen and does not make it another one."""

from __future__ import annotations

import time
from typing import Any

import pytest

pytestmark = pytest.mark.slow

MESSAGE = '<p>Saved</p><button aria-label="Close">×</button>'
FORM = '<form action="/save"><input name="a"><button>Save</button></form>'


def structures(stage: Any, *bodies: str) -> list[str]:
    """Structure of a page with each of these bodies, every one at an address of its own."""
    found = []
    for name, body in zip("abc", bodies, strict=False):
        address = f"/same/{name}"
        stage.server.answers[address] = lambda _, body=body: stage.html(body)
        found.append(stage.go(address).structure)
    return found


def test_a_message_that_can_be_closed_is_no_other_screen(stage: Any) -> None:
    bare, told = structures(stage, FORM, f"{MESSAGE}{FORM}")
    assert bare == told


def test_a_button_that_closes_something_of_the_app_is_a_control(stage: Any) -> None:
    bare, more = structures(stage, FORM, f"<button>Close ticket</button>{FORM}")
    assert bare != more


def test_a_trail_of_pages_is_the_same_however_long_it_is(stage: Any) -> None:
    link = '<a href="/{0}">{0}</a>'
    short, long = (
        f'<div class="breadcrumbs">You are here: {"".join(map(link.format, pages))}</div>{FORM}'
        for pages in (("start",), ("start", "boats", "duty"))
    )
    one, two = structures(stage, short, long)
    assert one == two


def test_a_link_without_an_address_is_the_same_on_every_page(stage: Any) -> None:
    one, two = structures(stage, *[f'<a href="">Lighthouse</a>{FORM}'] * 2)
    assert one == two


def test_what_is_scrolled_out_of_a_box_is_still_there(stage: Any) -> None:
    rows = "".join(f'<p style="height:200px"><a href="/{name}">{name}</a></p>' for name in "abcdefgh")
    box = f'<div id="box" style="height:300px;overflow:auto">{rows}</div>'
    top, scrolled = structures(stage, box, f"{box}<script>box.scrollTop = 900</script>")
    assert top == scrolled


def test_a_field_that_asks_for_the_focus_is_told_to_scripts_that_listen_late(stage: Any) -> None:
    stage.server.answers["/slow.js"] = lambda _: (
        time.sleep(0.3) or stage.html('field.onfocus = () => { hint.textContent = "Hint" }')
    )
    stage.server.answers["/focus"] = lambda _: stage.html(
        '<input id="field" autofocus><p id="hint">None</p><script src="slow.js"></script>'
    )
    stage.go("/focus")
    assert "Hint" in stage.said()


def test_the_browsers_word_about_a_field_is_pictured_whole(stage: Any) -> None:
    stage.server.answers["/must"] = lambda _: stage.html('<form><input name="a" required><button>Go</button>')
    pictures = set()
    for _ in range(3):
        stage.go("/must")
        before = stage.picture().tobytes()
        stage.press("Go")
        pictures.add(stage.picture().tobytes())
    assert before not in pictures
    assert len(pictures) == 1


def test_what_slides_under_the_pointer_does_not_light_up(stage: Any) -> None:
    stage.go("/stray.html")
    stage.press("More")
    assert [each.label for each in stage.see().elements if each.role == "button" and each.visible] == [
        "More",
        "Open",
    ]


def test_a_menu_that_opens_over_what_was_pressed_stays_open(stage: Any) -> None:
    stage.go("/stray.html")
    stage.press("Open")
    assert stage.at(stage.see(), "Inside").visible


def test_a_comment_with_a_number_is_an_entry_even_alone(stage: Any) -> None:
    one, two = (stage.go(f"/comments.html?{count}") for count in (1, 2))
    assert one.structure == two.structure
    stage.press("Answer")
    first = stage.see()
    stage.go("/comments.html?2")
    stage.click([each for each in stage.see().elements if each.label == "Answer"][-1])
    assert stage.see().structure == first.structure != one.structure

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawlers.identity import mask, state_of, structure_of
from schemas.screen import Box, Dialog, Element, Option, State


def page(rows: int, *, name: str = "Item", extra: tuple[Element, ...] = ()) -> list[Element]:
    places = count()
    elements = [element("heading:h1", "heading", name="Things"), element("table:t", "table")]
    for _ in range(rows):
        place = next(places)
        row = len(elements)
        elements.append(element(f"row[{place}]", "row", template="row[]", parent=1))
        elements.append(
            element(f"row[{place}]/b", "button", template="row[]/b", parent=row, name=f"{name} {place}")
        )
    return [*elements, *extra]


def element(key: str, role: str, *, template: str = "", **more: object) -> Element:
    clickable = role in {"button", "link"}
    return Element.model_validate(
        {"key": key, "template": template or key, "role": role, "clickable": clickable, **more}
    )


def state(elements: list[Element], **more: object) -> State:
    given = {
        "app": "a",
        "lang": "en",
        "address": "/things",
        "route": "/things",
        "title": "Things",
        "width": 640,
        "height": 480,
        **more,
    }
    return state_of(elements=elements, **given)


def test_two_rows_and_two_hundred_are_the_same_screen_with_other_data() -> None:
    few, many = state(page(2)), state(page(200))
    assert few.structure == many.structure
    assert few.id != many.id


def test_a_panel_that_opens_is_another_screen() -> None:
    panel = element("dialog:d", "dialog"), element("dialog:d/x", "button", parent=6)
    assert state(page(2)).structure != state(page(2, extra=panel)).structure


@pytest.mark.parametrize(
    "role, counts", [("menuitemcheckbox", True), ("menuitemradio", True), ("checkbox", False)]
)
def test_a_mark_in_a_closed_menu_is_what_a_program_is_set_to(role: str, *, counts: bool) -> None:
    off, on = (
        element("menu/wrap", role, visible=False, checkable=True, checked=is_on) for is_on in (False, True)
    )
    one, other = state(page(2, extra=(off,))), state(page(2, extra=(on,)))
    assert one.structure == other.structure
    assert (one.id != other.id) is counts


def test_what_is_hidden_counts_for_neither() -> None:
    hidden = element("dialog:d", "dialog", visible=False, text="later")
    assert state(page(2)).id == state(page(2, extra=(hidden,))).id


def test_a_native_dialog_is_part_of_both() -> None:
    asked = state(page(2), dialog=Dialog(kind="confirm", message="Delete?"))
    other = state(page(2), dialog=Dialog(kind="confirm", message="Leave?"))
    assert asked.structure != state(page(2)).structure
    assert asked.structure == other.structure
    assert len({asked.id, other.id, state(page(2)).id}) == 3


def test_structure_is_the_same_in_every_language() -> None:
    chinese = state(page(3, name="物品"), lang="zh-Hans", title="东西")
    assert chinese.structure == state(page(3)).structure
    assert chinese.id != state(page(3)).id


def test_focus_boxes_scrolling_and_query_noise_do_not_count() -> None:
    plain = page(2)
    moved = [
        each.model_copy(update={"focused": True, "box": Box(x1=1, y1=2, x2=3, y2=4), "scrollable": True})
        for each in plain
    ]
    assert state(plain).id == state(moved, address="/things?utm=7").id
    assert state(plain).id == state(plain, address="/home#/things", route="/home#/things").id


@pytest.mark.parametrize(
    "change",
    [
        {"checked": True},
        {"enabled": False},
        {"value": "17"},
        {"options": (Option(value="a", label="A", selected=True),)},
    ],
)
def test_values_marks_and_choices_are_data(change: dict[str, object]) -> None:
    field = element("f", "checkbox", checkable=True)
    changed = element("f", "checkbox", checkable=True, **change)
    assert state([field]).id != state([changed]).id
    assert state([field]).structure == state([changed]).structure


def test_a_ticking_clock_does_not_make_new_states() -> None:
    first = state([element("t", "text", text="It is 12:00:01, posted 3 minutes ago")])
    later = state([element("t", "text", text="It is 12:00:59, posted 4 minutes ago")])
    assert first.id == later.id
    assert state([element("t", "timer", text="7")]).id == state([element("t", "timer", text="8")]).id
    live = [element("t", "text", text=f"{count} rounds", live=True) for count in (7, 8)]
    assert state(live[:1]).id == state(live[1:]).id


def test_prose_is_data_and_no_structure() -> None:
    flash = element("flash", "alert", text="Saved.")
    assert structure_of(page(2)) == structure_of([*page(2), flash])
    assert state(page(2)).id != state(page(2, extra=(flash,))).id


@pytest.mark.parametrize(
    "line",
    [
        "3 seconds ago",
        "an hour ago",
        "3分钟前",
        "刚刚",
        "vor 3 Minuten",
        "il y a 2 heures",
        "hace 5 días",
        "2 時間前",
        "12:34:56",
        "0.034 seconds",
        "550e8400-e29b-41d4-a716-446655440000",
        "d41d8cd98f00b204e9800998ecf8427e",
        "IjM0ZDk2ZmQ5ZTk1YjA5YjY4.Zx1gKw.abcDEF",
    ],
)
def test_volatile_text_is_masked(line: str) -> None:
    assert mask(line) == "…"


@pytest.mark.parametrize(
    "line",
    [
        "2027-02-01",
        "10:30",
        "17.50",
        "3 items left",
        "Room 2.5 south",
        "20260101120000",
        "an-ordinary-but-very-long-page-name",
        "每分钟",
        "minutes of the meeting",
    ],
)
def test_data_is_not_masked(line: str) -> None:
    assert mask(line) == line


@given(st.text())
def test_masking_twice_changes_nothing(line: str) -> None:
    assert mask(mask(line)) == mask(line)


@given(st.permutations(range(4)))
def test_the_order_of_rows_is_data(order: list[int]) -> None:
    rows = [
        element(f"row[{place}]", "row", template="row[]", text=f"row {number}")
        for place, number in enumerate(order)
    ]
    assert structure_of(rows) == structure_of(sorted(rows, key=lambda row: row.text))
    assert (state(rows).id == state(sorted(rows, key=lambda row: row.text)).id) == (order == sorted(order))


def test_tooltips_depend_on_the_pointer_and_count_for_neither() -> None:
    hint = element("tip", "tooltip"), element("tip/t", "text", parent=6, name="Try this")
    assert state(page(2)).id == state(page(2, extra=hint)).id


def test_a_tooltip_that_holds_controls_is_a_menu() -> None:
    menu = (
        element("tip", "tooltip"),
        element("tip/g", "group", parent=6),
        element("tip/g/b", "button", parent=7, name="Sort", clickable=True),
    )
    assert state(page(2)).structure != state(page(2, extra=menu)).structure


@pytest.mark.parametrize(
    "label, offers",
    [
        ("×", False),
        ("Close", False),
        ("Hide this notice", False),
        ("隐藏此通知", False),
        ("关闭", False),
        ("Messages", True),
        ("Hide", True),
        ("Hide the column", True),
        ("关闭订单", True),
    ],
)
def test_what_only_takes_a_message_away_offers_nothing(label: str, *, offers: bool) -> None:
    message = page(2, extra=(element("away", "button", clickable=True, name=label),))
    assert (structure_of(message) != structure_of(page(2))) == offers

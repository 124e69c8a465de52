"""Elements of recorded screens: one of each toolkit, with a menu, a popover and a dialog among them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crawlers.desktop.groups import in_forms
from crawlers.desktop.places import shown
from crawlers.desktop.quirks import QUIRKS, UNKNOWN, quirks_of
from crawlers.desktop.raw import RawNode, RawScreen, RawWindow
from crawlers.desktop.roles import State as Bit
from crawlers.desktop.tree import sight_of
from crawlers.forms import forms_of
from crawlers.identity import state_of, structure_of
from crawlers.risk import off_app
from schemas.screen import Box, Element, State

Screens = Callable[[str], RawScreen]


def elements(screen: RawScreen) -> tuple[Element, ...]:
    return sight_of(screen).elements


def state(screen: RawScreen) -> State:
    return state_of(
        app="", lang="en", address="/", route="/", title="", elements=elements(screen), width=1280, height=800
    )  # fmt: skip


def whole(width: int, height: int) -> tuple[RawWindow, ...]:
    """One window, as large as the screen."""
    return (RawWindow(number=1, pid=1, title="", extents=(0, 0, width, height)),)


def called(screen: RawScreen, label: str) -> Element:
    found = [each for each in elements(screen) if each.label == label]
    return next((each for each in found if each.visible), found[0])


@pytest.mark.parametrize("name", ["l3afpad.en", "galculator.en", "featherpad-menu.en", "popover.en"])
def test_keys_are_unique_and_parents_come_first(screen: Screens, name: str) -> None:
    found = elements(screen(name))
    assert len({each.key for each in found}) == len(found)
    assert all(each.parent < place for place, each in enumerate(found))
    assert all(each.visible == (each.box is not None) for each in found)


def test_a_program_has_the_same_keys_and_structure_in_every_language(screen: Screens) -> None:
    english, *others = (elements(screen(f"l3afpad.{lang}")) for lang in ("en", "zh-Hans", "ja"))
    for other in others:
        assert [each.key for each in other] == [each.key for each in english]
        assert [each.name for each in other] != [each.name for each in english]
        assert structure_of(other) == structure_of(english)


def test_items_of_closed_menus_are_functions_and_no_pixels(screen: Screens) -> None:
    item = called(screen("l3afpad.en"), "Save As...")
    assert item.role == "menuitem"
    assert item.box is None
    assert not item.visible
    assert not item.clickable


def test_an_open_menu_covers_everything_but_itself_and_its_bar(screen: Screens) -> None:
    opened = screen("featherpad-menu.en")
    assert called(opened, "Save As").visible
    assert not called(opened, "Save As").occluded
    assert not called(opened, "Edit").occluded
    assert called(opened, "Replace").occluded


def test_items_of_a_gtk4_popover_lie_where_they_are_drawn(screen: Screens) -> None:
    opened = screen("popover.en")
    item = called(opened, "New Window")
    popup = next(window for window in opened.windows if window.popup and window.extents[2] > 100)
    left, top, width, height = popup.extents
    assert item.box is not None
    assert left < item.box.x1 < item.box.x2 < left + width
    assert top < item.box.y1 < item.box.y2 < top + height
    assert not item.occluded


def test_a_popover_is_not_cut_to_its_button_and_the_page_in_front_is_drawn(screen: Screens) -> None:
    opened = screen("popover-pages.en")
    item = called(opened, "Document Properties")
    popover = next(each for each in elements(opened) if each.key == "window/button.4/menuitem")
    assert opened.pops_up
    assert popover.box == Box(x1=722, y1=140, x2=974, y2=727)
    assert item.box is not None
    assert item.box.centre == (848, 538)
    text = next(each for each in elements(opened) if each.role == "textbox")
    assert text.visible, "it lies on a page of a stack, which has no place of its own"


def test_a_popup_of_one_pixel_is_none_that_anybody_sees(screen: Screens) -> None:
    opened = screen("popover-pages.en")
    pixels = tuple(each for each in opened.windows if each.extents[2:] == (1, 1))
    assert pixels
    assert not opened.model_copy(update={"windows": pixels}).pops_up


def test_a_view_of_the_web_is_read_as_the_program_shows_it(screen: Screens) -> None:
    """It says the same of itself where the page of the notebook that it lies on is not in front."""
    day = called(screen("web-view.en"), "Day number:")
    assert (day.role, day.visible, day.box) == ("rowheader", True, Box(x1=494, y1=129, x2=581, y2=146))
    assert called(screen("web-view.en"), "32 (333 days till end of year)").visible
    assert not called(screen("web-view-hidden.en"), "Day number:").visible
    assert called(screen("web-view-hidden.en"), "Summary").visible


def test_what_nothing_can_be_done_to_is_not_pressed(screen: Screens) -> None:
    """WebKit gives each cell of a page an action without a name; those of GTK are named."""
    assert not called(screen("web-view.en"), "32 (333 days till end of year)").clickable
    assert called(screen("web-view-hidden.en"), "Summary").clickable


def test_of_two_pages_that_hold_something_none_is_known_to_be_in_front(screen: Screens) -> None:
    opened = screen("popover-pages.en")
    nodes, quirks = opened.nodes, quirks_of(opened.toolkit, opened.version)
    front = next(at for at, node in enumerate(nodes) if node.extents is None)
    assert shown(nodes, quirks)[front]
    page = nodes[front].model_copy(update={"path": "other"})
    label = nodes[front].model_copy(update={"parent": len(nodes), "role": "label", "extents": (9, 9, 9, 9)})
    drawn = shown((*nodes, page, label), quirks)
    assert not drawn[front]
    assert not drawn[-1]


def test_a_program_that_is_minimized_shows_nothing(screen: Screens) -> None:
    there = screen("popover.en")
    gone = there.model_copy(update={"windows": ()})
    assert gone.minimized
    assert not there.minimized
    assert not any(each.visible for each in elements(gone))


def test_a_dialog_that_asks_for_a_name_is_a_form_and_what_is_behind_is_covered(screen: Screens) -> None:
    saving = screen("save-as.en")
    form = next(form for form in forms_of(state(saving)) if form.key.startswith("dialog~"))
    assert [field.label for field in form.fields] == ["Name"]
    assert all(each.occluded for each in elements(saving) if each.visible and each.key.startswith("window/"))
    assert called(saving, "Cancel").key.startswith("dialog~")


def test_the_folders_of_a_file_chooser_lead_out_of_the_program_and_its_files_do_not(screen: Screens) -> None:
    saving = elements(screen("save-as.en"))
    away = {each.label for each in saving if each.href and each.visible}
    assert {"home", "~/Documents", "Open your personal folder"} < away
    assert not away & {"Documents", "Cancel", "Save As", "Name"}
    assert all(off_app(each) for each in saving if each.href)
    assert [each.key[-12:] for each in saving if each.role == "cell" and each.clickable] == ["/row[1]/cell"]


def test_a_dialog_without_a_default_button_is_sent_by_the_last_one_at_its_foot() -> None:
    def dialog(*kinds: str) -> list[Element]:
        """A dialog with a field, a button beside that, and buttons of these kinds at its foot."""
        top = Element(key="dialog~1", template="dialog~1", role="dialog")
        field = Element(key="field", template="field", parent=0, role="textbox", editable=True)
        group = Element(key="group", template="group", parent=0, role="group")
        beside = Element(key="beside", template="beside", parent=2, role="button")
        foot = [
            Element(key=f"b{at}", template=f"b{at}", parent=0, role="button", kind=kind)
            for at, kind in enumerate(kinds)
        ]
        return in_forms([top, field, group, *foot, beside])

    assert [each.key for each in dialog("", "") if each.kind == "submit"] == ["b1"]
    assert [each.key for each in dialog("", "") if each.form] == ["field", "b1"]
    assert [each.key for each in dialog("submit", "") if each.kind == "submit"] == ["b0"]
    assert not [each for each in dialog() if each.kind == "submit"]


def test_a_text_without_a_name_is_called_by_its_kind(screen: Screens) -> None:
    read = screen("l3afpad.zh-Hans")
    nodes = [node.model_copy(update={"kind": "文本"}) if node.role == "text" else node for node in read.nodes]
    named = elements(read.model_copy(update={"nodes": tuple(nodes)}))
    assert [each.label for each in named if each.role == "textbox" and each.visible] == ["文本"]
    assert [each.key for each in named] == [each.key for each in elements(read)]


def test_choices_of_a_combo_box_are_numbered_and_no_controls(screen: Screens) -> None:
    combo = next(each for each in elements(screen("save-as.en")) if each.options)
    assert [option.value for option in combo.options[:2]] == ["0", "1"]
    assert sum(option.selected for option in combo.options) == 1
    assert not [each for each in elements(screen("save-as.en")) if each.key.startswith(combo.key + "/")]


def test_a_page_lies_below_its_tab_and_not_in_it() -> None:
    drawn = 1 << Bit.SHOWING | 1 << Bit.SENSITIVE
    frame, tabs, tab, page = (
        RawNode(parent=parent, role=role, states=drawn, extents=extents)
        for parent, role, extents in (
            (-1, "frame", (0, 0, 640, 480)),
            (0, "page_tab_list", (0, 0, 640, 400)),
            (1, "page_tab", (0, 0, 90, 30)),
            (2, "check_box", (10, 50, 200, 30)),
        )
    )
    nodes = (frame, tabs, tab, page)
    found = elements(
        RawScreen(toolkit="gtk", version="3.24", nodes=nodes, windows=whole(640, 480), width=640, height=480)
    )
    assert [each.box for each in found if each.role == "checkbox"] == [Box(x1=10, y1=50, x2=210, y2=80)]


def test_a_combo_box_that_takes_words_holds_a_field_with_its_label() -> None:
    drawn = 1 << Bit.SHOWING | 1 << Bit.SENSITIVE
    nodes = (
        RawNode(parent=-1, role="dialog", states=drawn, extents=(0, 0, 400, 300)),
        RawNode(parent=0, role="combo_box", name="Search for:", states=drawn, extents=(10, 10, 200, 30)),
        RawNode(parent=1, role="menu", states=0),
        RawNode(parent=1, role="text", states=drawn | 1 << Bit.EDITABLE, extents=(10, 10, 170, 30)),
        RawNode(parent=0, role="combo_box", name="Coding", states=drawn, extents=(10, 50, 200, 30)),
    )
    found = elements(
        RawScreen(toolkit="gtk", version="3.24", nodes=nodes, windows=whole(640, 480), width=640, height=480)
    )
    field = next(each for each in found if each.role == "textbox")
    boxed, plain = (each for each in found if each.role == "combobox")
    assert (field.key, field.label, field.editable) == (f"{boxed.key}/textbox", "Search for:", True)
    assert (boxed.clickable, plain.clickable) == (False, True)


def test_calculator_keys_can_be_pressed(screen: Screens) -> None:
    seven = called(screen("galculator.en"), "7")
    assert (seven.role, seven.clickable, seven.enabled) == ("button", True, True)
    assert not called(screen("galculator.en"), "MR").enabled


def test_a_broken_object_breaks_nothing(screen: Screens) -> None:
    whole = screen("galculator.en")
    nodes = list(whole.nodes)
    nodes[10] = RawNode(parent=nodes[10].parent, path=nodes[10].path, role=nodes[10].role, broken=True)
    assert len(elements(whole.model_copy(update={"nodes": tuple(nodes)}))) >= len(elements(whole)) - 1


def test_every_quirk_has_its_reason_and_unknown_toolkits_have_a_row() -> None:
    assert all(row.reason for row in (*QUIRKS.values(), UNKNOWN))
    assert quirks_of("gtk", "3.24.38") is QUIRKS["gtk3"]
    assert quirks_of("GTK", "4.8.3") is QUIRKS["gtk4"]
    assert quirks_of("GAIL", "2.24.33") is QUIRKS["gtk2"]
    assert quirks_of("Qt", "5.15.8") is QUIRKS["qt5"]
    assert quirks_of("Chromium", "120") is UNKNOWN


def test_libreoffice_counts_from_the_corner_of_its_pane() -> None:
    """But not below GTK widgets inside it, and not in the menu bar that GTK draws instead of its own."""
    drawn = 1 << Bit.VISIBLE | 1 << Bit.SHOWING | 1 << Bit.SENSITIVE
    rows = (
        (-1, "frame", "Sheet", (0, 0, 400, 300)),
        (0, "panel", "", (0, 27, 400, 273)),
        (1, "root_pane", "Sheet", (0, 0, 400, 273)),
        (2, "menu_bar", "", (0, 0, 400, 0)),
        (3, "menu", "File", (0, 0, 36, 22)),
        (2, "tool_bar", "Standard", (0, 10, 400, 40)),
        (5, "push_button", "Bold", (4, 12, 30, 30)),
        (5, "panel", "Font", (40, 12, 100, 30)),
        (7, "panel", "", (40, 39, 100, 28)),
        (8, "push_button", "Choose", (110, 40, 30, 26)),
    )
    nodes = tuple(
        RawNode(parent=parent, role=role, name=name, states=drawn, extents=extents)
        for parent, role, name, extents in rows
    )
    screen = RawScreen(
        toolkit="GTK", version="3.24", nodes=nodes, windows=whole(400, 300), width=400, height=300
    )
    boxes = {each.label: each.box for each in elements(screen) if each.label}
    assert boxes["Bold"] == Box(x1=4, y1=39, x2=34, y2=69)
    assert boxes["Choose"] == Box(x1=110, y1=40, x2=140, y2=66)
    assert boxes["File"] is None

"""Programs beside each other are what they are alone, each in a place of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from crawlers.desktop.beside import beside, front, is_main
from crawlers.desktop.raw import RawNode, RawScreen, RawWindow
from crawlers.desktop.roles import State as Bit
from crawlers.desktop.sight import Sight
from crawlers.desktop.tree import sight_of
from schemas.screen import Element

Screens = Callable[[str], RawScreen]


def named(screen: RawScreen, program: str) -> RawScreen:
    return screen.model_copy(update={"program": program})


def of(sight: Sight, program: str) -> Sequence[Element]:
    return [each for each in sight.elements if each.key.startswith(f"{program}/")]


@pytest.fixture
def pair(screen: Screens) -> Callable[[str, str], Sight]:
    """Two recorded programs, called one and other."""
    return lambda one, other: beside([named(screen(one), "one"), named(screen(other), "other")])


def test_an_only_program_is_understood_as_ever(screen: Screens) -> None:
    assert beside([screen("galculator.en")]) == sight_of(screen("galculator.en"))


def test_keys_of_a_program_are_the_same_beside_any_other(
    screen: Screens, pair: Callable[[str, str], Sight]
) -> None:
    alone = [each.key for each in sight_of(screen("galculator.en")).elements]
    both = pair("l3afpad.en", "galculator.en")
    assert [each.key for each in of(both, "other")] == [f"other/{key}" for key in alone]
    assert all(each.template.startswith("other/") for each in of(both, "other"))
    assert len(of(both, "one")) + len(alone) == len(both.elements)


def test_what_lies_in_a_window_lies_in_the_one_of_its_program(pair: Callable[[str, str], Sight]) -> None:
    both = pair("l3afpad.en", "galculator.en")
    for place, each in enumerate(both.elements):
        assert each.parent < place
        if each.parent >= 0:
            above = both.elements[each.parent].key
            assert above.partition("/")[0] == each.key.partition("/")[0]
    assert [is_main(window) for window in both.windows] == [True, True]


def test_the_same_program_twice_has_no_key_twice_and_acts_on_objects_of_its_own(
    screen: Screens,
) -> None:
    first, second = screen("save-as.en"), screen("save-as.en")
    moved = tuple(node.model_copy(update={"owner": ":1.99"}) for node in second.nodes)
    both = beside([named(first, "one"), named(second.model_copy(update={"nodes": moved}), "other")])
    keys = [each.key for each in both.elements]
    assert len(set(keys)) == len(keys) == len(both.nodes)
    assert {both.nodes[each.key].owner for each in of(both, "other")} == {":1.99"}
    combo = next(each for each in of(both, "other") if each.options and each.visible)
    assert {node.owner for node in both.offered[combo.key]} == {":1.99"}


def test_an_open_menu_covers_the_other_program_and_a_dialog_does_not(
    pair: Callable[[str, str], Sight],
) -> None:
    def covered(opened: str) -> bool:
        seen = [each for each in of(pair(opened, "l3afpad.en"), "other") if each.visible]
        assert seen
        return any(each.occluded for each in seen)

    assert covered("featherpad-menu.en")
    assert not covered("save-as.en")


def test_a_dialog_of_any_program_is_in_front(pair: Callable[[str, str], Sight]) -> None:
    for place, names in enumerate((("save-as.en", "l3afpad.en"), ("l3afpad.en", "save-as.en"))):
        window = front(pair(*names))
        assert window is not None
        assert window.key.startswith(f"{('one', 'other')[place]}/dialog~")


def test_a_form_is_known_by_the_dialog_of_its_program(pair: Callable[[str, str], Sight]) -> None:
    both = pair("l3afpad.en", "save-as.en")
    forms = {each.form for each in both.elements if each.form}
    assert forms
    assert forms <= {window.key for window in both.windows}


def test_a_window_is_that_of_the_process_that_shows_it() -> None:
    """Two programs that measure from the corners of windows of the same title and size."""
    drawn = 1 << Bit.VISIBLE | 1 << Bit.SENSITIVE
    frame = RawNode(parent=-1, role="frame", name="notes", states=drawn, extents=(0, 0, 400, 300))
    button = RawNode(parent=0, role="push_button", name="Go", states=drawn, extents=(10, 20, 50, 30))
    windows = tuple(
        RawWindow(number=pid, pid=pid, title="notes", extents=(left, 0, 400, 300))
        for pid, left in ((8, 400), (7, 0))
    )
    one, other = (
        RawScreen(
            program=name, pids=frozenset({pid}), toolkit="GTK", version="4.8", nodes=(frame, button),
            windows=windows, width=800, height=300,
        )
        for name, pid in (("one", 7), ("other", 8))
    )  # fmt: skip
    both = beside([one, other])
    left = [each.box.x1 for each in both.elements if each.role == "button" and each.box]
    assert left == [10, 410]

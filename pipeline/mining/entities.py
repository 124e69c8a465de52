"""Entities: the existing item that a path acts on, and the few words by which a person would name it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from schemas.action import target_of
from schemas.graph import Transition
from schemas.screen import Element, State

LONGEST = 60
"""Characters; what is longer is no name but a description."""

SHORT = 40
"""Characters up to which a whole item can stand for itself."""

_FRAMES = frozenset(
    {"navigation", "menubar", "menu", "banner", "contentinfo", "toolbar", "tablist", "search"}
)
_WHOLE = frozenset({"row", "listitem", "article", "group", "list", "table", "rowgroup", "option"})
_PRESSED = frozenset({"button", "checkbox", "switch", "radio", "menuitem", "tab", "combobox", "textbox"})
_LETTERS = re.compile(r"[^\W\d_]{2,}|[㐀-鿿぀-ヿ가-힣]", re.UNICODE)


@dataclass(frozen=True)
class Anchor:
    """The step of a path that chooses the item, on the screen where it is chosen."""

    state: State
    element: Element
    step: int
    """Index of the Transition in the path."""


def ancestors(state: State, element: Element) -> list[Element]:
    """The elements around it, innermost first."""
    found: list[Element] = []
    above = element.parent
    while 0 <= above < len(state.elements):
        found.append(state.elements[above])
        above = found[-1].parent
    return found


def in_frame(state: State, element: Element) -> bool:
    """Whether it belongs to what surrounds every page: navigation, menus, header, footer."""
    return any(each.role in _FRAMES for each in ancestors(state, element))


def siblings(state: State, element: Element) -> tuple[Element, ...]:
    """The same control of the other items, in screen order."""
    found: dict[str, Element] = {}
    for each in state.elements:
        if each.template == element.template and each.visible and each.item and each.item != element.item:
            found.setdefault(each.item, each)
    return tuple(found.values())


def anchor_of(chain: Sequence[tuple[State, Transition]]) -> Anchor | None:
    """The last step that presses a control of a repeated item; None for a path without an entity."""
    for step in range(len(chain) - 1, -1, -1):
        state, transition = chain[step]
        target = target_of(transition.action)
        element = state.find(target.key) if target else None
        if element is not None and _chooses(state, element):
            return Anchor(state, element, step)
    return None


def entity_text(state: State, element: Element, root: State) -> str:
    """The words that name the element's item: the line that tells all items of the list apart, best in
    words rather than figures, found nowhere else on the screen and displayed at the start. The whole item
    where no line of words does and it is short; the link's own words where it is the item's only control
    and calls no other item the same.
    """
    if _titles(state, element):
        return " ".join(element.label.split())
    rows = {item: _columns(state, item) for item in _items(state, element)}
    own = rows.get(element.item, {})
    whole = _first_line(element.item)
    if not own:
        return whole
    elsewhere = _elsewhere(state, element.item)
    start = Counter(root.texts())
    order = list(own)

    def rank(column: tuple[str, int]) -> tuple[bool, bool, bool, bool, bool, int]:
        line = own[column]
        lines = [row[column] for row in rows.values() if column in row]
        return (
            lines.count(line) > 1,
            not _LETTERS.search(line),
            len(set(lines)) < len(lines),
            any(line in other for other in elsewhere),
            line not in start,
            order.index(column),
        )

    best = min(order, key=rank)
    alone, figures, shared, *_ = rank(best)
    unsure = alone or figures or shared
    return whole if unsure and len(element.item) <= SHORT else own[best]


def _titles(state: State, element: Element) -> bool:
    if element.role != "link" or not _LETTERS.search(element.label) or len(element.label) > LONGEST:
        return False
    controls = [
        each for each in state.elements if each.item == element.item and each.clickable and each.visible
    ]
    return len(controls) == 1 and all(each.label != element.label for each in siblings(state, element))


def _chooses(state: State, element: Element) -> bool:
    if not element.item or (element.form and element.editable):
        return False
    beyond = " ".join(element.item.split()).replace(" ".join(element.label.split()), "", 1).strip()
    return bool(_LETTERS.search(beyond) or beyond.isdigit()) and not in_frame(state, element)


def _items(state: State, element: Element) -> tuple[str, ...]:
    return (element.item, *(each.item for each in siblings(state, element)))


def _columns(state: State, item: str) -> dict[tuple[str, int], str]:
    """Lines of one item by template and place among their like, so that rows can be compared."""
    places: Counter[str] = Counter()
    found: dict[tuple[str, int], str] = {}
    for element in state.elements:
        if element.item != item or not element.visible:
            continue
        place = places[element.template]
        places[element.template] += 1
        line = " ".join((element.name or element.text).split())
        if line and len(line) <= LONGEST and not _is_whole(element, line, item):
            found[element.template, place] = line
    return found


def _is_whole(element: Element, line: str, item: str) -> bool:
    if element.role in _PRESSED or element.role in _WHOLE:
        return True
    return line == item and any(character.isspace() for character in line) and element.role != "link"


def _elsewhere(state: State, item: str) -> Collection[str]:
    return {
        line
        for element in state.elements
        if element.visible and element.item != item
        for line in (element.name, element.text)
        if line
    }


def _first_line(item: str) -> str:
    return " ".join(item.strip().splitlines()[0].split())[:LONGEST] if item.strip() else ""

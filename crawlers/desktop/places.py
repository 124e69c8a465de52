"""Places: where each object is on the picture, and what lies on top of it."""

from __future__ import annotations

from collections.abc import Sequence

from crawlers.desktop.quirks import Quirks
from crawlers.desktop.raw import Extents, RawNode, RawScreen, RawWindow
from crawlers.desktop.roles import State, has
from schemas.screen import Box

NOWHERE = -(2**31)
"""What GTK 3 gives as the place of an item in a closed menu."""
_MENUS = frozenset({"menu", "popup_menu"})
_ITEMS = frozenset({"menu_item", "check_menu_item", "radio_menu_item", "menu", "tearoff_menu_item", "separator"})
_LOOSE = _MENUS | {"combo_box", "push_button_menu", "menu_bar"}
"""What does not contain its children on the picture: they pop up beside it."""


def shown(nodes: Sequence[RawNode], quirks: Quirks) -> list[bool]:
    """Whether each object is drawn, as far as its states tell."""
    found: list[bool] = []
    for node in nodes:
        lit = has(node.states, State.SHOWING if quirks.shows else State.VISIBLE)
        inside = node.parent < 0 or found[node.parent] or quirks.shows
        found.append(lit and inside and node.extents is not None)
    return found


def boxes(screen: RawScreen, drawn: Sequence[bool], quirks: Quirks) -> list[Box | None]:
    """The box of each drawn object in pixels of the picture, cut to what it lies in; None if nothing is
    left.
    """
    whole = Box(x1=0, y1=0, x2=screen.width, y2=screen.height)
    shifts = _shifts(screen, quirks)
    found: list[Box | None] = []
    bounds: list[Box] = []
    tops: list[int] = []
    for index, node in enumerate(screen.nodes):
        top = index if node.parent < 0 else tops[node.parent]
        tops.append(top)
        within = whole if node.parent < 0 or _escapes(screen.nodes, index) else bounds[node.parent]
        box = _cut(node.extents, shifts.get(top, (0, 0)), within) if drawn[index] else None
        found.append(box)
        # What is laid out but not drawn itself bounds nothing.
        bounds.append(box if box is not None and node.role not in _LOOSE else within)
    return found


def open_menus(nodes: Sequence[RawNode], found: Sequence[Box | None]) -> frozenset[int]:
    """Menus whose items are drawn."""
    return frozenset(
        node.parent
        for node, box in zip(nodes, found, strict=True)
        if box is not None and node.role in _ITEMS and node.parent >= 0 and nodes[node.parent].role in _MENUS
    )


def covered(screen: RawScreen, found: Sequence[Box | None]) -> list[bool]:
    """Whether each drawn object cannot be pressed because a menu, a modal dialog or another window is in
    front of it.
    """
    nodes = screen.nodes
    menus = open_menus(nodes, found)
    tops: list[int] = []
    in_menu: list[bool] = []
    for index, node in enumerate(nodes):
        tops.append(index if node.parent < 0 else tops[node.parent])
        in_menu.append(index in menus or (node.parent >= 0 and in_menu[node.parent]))
    modal = {top for top in set(tops) if has(nodes[top].states, State.MODAL) and found[top] is not None}
    stack = _stack(screen)
    answers: list[bool] = []
    for index, (node, box) in enumerate(zip(nodes, found, strict=True)):
        if box is None or in_menu[index]:
            answers.append(False)
        elif menus:
            answers.append(node.parent < 0 or nodes[node.parent].role != "menu_bar")
        else:
            behind = bool(modal) and tops[index] not in modal
            answers.append(behind or _under(box, stack.get(tops[index]), screen.windows))
    return answers


def _escapes(nodes: Sequence[RawNode], index: int) -> bool:
    """Whether an object is drawn outside of its parent."""
    return nodes[nodes[index].parent].role in _LOOSE


def _cut(extents: Extents | None, shift: tuple[int, int], within: Box) -> Box | None:
    if extents is None or extents[0] <= NOWHERE // 2 or extents[2] <= 0 or extents[3] <= 0:
        return None
    x, y, width, height = extents
    x, y = x + shift[0], y + shift[1]
    box = Box(
        x1=max(x, within.x1),
        y1=max(y, within.y1),
        x2=min(x + width, within.x2),
        y2=min(y + height, within.y2),
    )
    return box if box.x2 > box.x1 and box.y2 > box.y1 else None


def _shifts(screen: RawScreen, quirks: Quirks) -> dict[int, tuple[int, int]]:
    """What has to be added to the extents below each top-level window."""
    if quirks.on_screen:
        return {}
    return {
        top: (window.extents[0], window.extents[1]) for top, window in _windows(screen).items() if window
    }


def _windows(screen: RawScreen) -> dict[int, RawWindow | None]:
    """The X window of each accessible top-level: of the same title, and of the nearest size."""
    left = [window for window in screen.windows if not window.popup]
    found: dict[int, RawWindow | None] = {}
    for top, node in enumerate(screen.nodes):
        if node.parent >= 0:
            continue
        alike = [window for window in left if window.title == node.name] or left
        found[top] = min(alike, key=lambda window: _unlike(node.extents, window), default=None)
        if found[top] is not None:
            left.remove(found[top])
    return found


def _unlike(extents: Extents | None, window: RawWindow) -> int:
    if extents is None:
        return 1 << 30
    return abs(extents[2] - window.extents[2]) + abs(extents[3] - window.extents[3])


def _stack(screen: RawScreen) -> dict[int, int]:
    """Place in the pile of windows of each top-level."""
    places = {window.number: place for place, window in enumerate(screen.windows)}
    return {top: places[window.number] for top, window in _windows(screen).items() if window}


def _under(box: Box, place: int | None, windows: Sequence[RawWindow]) -> bool:
    if place is None:
        return False
    x, y = box.centre
    return any(_surface(window).holds(x, y) for window in windows[place + 1 :])


def _surface(window: RawWindow) -> Box:
    x, y, width, height = window.extents
    left, right, top, bottom = window.shadow
    return Box(x1=x + left, y1=y + top, x2=x + width - right, y2=y + height - bottom)

"""Places: where each object is on the picture, and what lies on top of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from crawlers.desktop.quirks import Quirks
from crawlers.desktop.raw import Extents, RawNode, RawScreen, RawWindow
from crawlers.desktop.roles import State, has
from schemas.screen import Box

NOWHERE = -(2**31)
"""What GTK 3 gives as the place of an item in a closed menu."""
_MENUS = frozenset({"menu", "popup_menu"})
_ITEMS = frozenset({"menu_item", "check_menu_item", "radio_menu_item", "menu", "separator"})
_LOOSE = _MENUS | {"combo_box", "push_button_menu", "menu_bar", "page_tab"}
"""What does not contain its children on the picture: they pop up beside it, or are the page below a tab."""


def shown(nodes: Sequence[RawNode], quirks: Quirks) -> list[bool]:
    """Whether each object is drawn, or what it holds is, as far as its states tell. What another process
    shows in a program says that it is drawn even where the program does not show it.
    """
    found: list[bool] = []
    pages = _pages(nodes)
    guests = _guests(nodes, quirks)
    for index, node in enumerate(nodes):
        inside = node.parent < 0 or found[node.parent] or quirks.shows
        lit = inside and guests.get(index, True) and quirks.may_be_drawn(node.states)
        found.append(lit and (node.extents is not None or index in pages))
    return found


def _guests(nodes: Sequence[RawNode], quirks: Quirks) -> dict[int, bool]:
    """For each object of another process whether the program shows what it is plugged into. The socket itself
    says nothing: it has no states.
    """
    found: dict[int, bool] = {}
    shows: list[bool] = []
    for index, node in enumerate(nodes):
        above = node.parent < 0 or shows[node.parent]
        guest = node.parent in found or (node.parent >= 0 and node.owner != nodes[node.parent].owner)
        if guest:
            found[index] = above
        shows.append(above if guest or not node.states else quirks.may_be_drawn(node.states))
    return found


def _pages(nodes: Sequence[RawNode]) -> frozenset[int]:
    """What has no place of its own and holds something that has a size, alone among its like: the page of a
    stack that is in front. Where several do, nothing tells which one that is.
    """
    sized = [node.extents is not None and min(node.extents[2:]) > 0 for node in nodes]
    for index in range(len(nodes) - 1, 0, -1):
        if sized[index] and nodes[index].parent >= 0:
            sized[nodes[index].parent] = True
    placeless = [at for at, node in enumerate(nodes) if sized[at] and node.extents is None]
    times = Counter(nodes[at].parent for at in placeless)
    return frozenset(at for at in placeless if times[nodes[at].parent] == 1)


def boxes(screen: RawScreen, drawn: Sequence[bool], quirks: Quirks) -> list[Box | None]:
    """The box of each drawn object in pixels of the picture, cut to what it lies in; None if nothing is
    left.
    """
    if screen.minimized:
        return [None] * len(screen.nodes)
    whole = Box(x1=0, y1=0, x2=screen.width, y2=screen.height)
    shifts = dict(_panes(screen.nodes)) if quirks.on_screen else _shifts(screen)
    popped = frozenset() if quirks.on_screen else frozenset(shifts)
    moved: list[tuple[int, int]] = []
    found: list[Box | None] = []
    bounds: list[Box] = []
    for index, node in enumerate(screen.nodes):
        moved.append(shifts.get(index) or (moved[node.parent] if node.parent >= 0 else (0, 0)))
        free = node.parent < 0 or index in popped or _escapes(screen.nodes, index)
        within = whole if free else bounds[node.parent]
        hidden = (
            node.parent >= 0 and found[node.parent] is None and screen.nodes[node.parent].role == "menu_bar"
        )
        box = _cut(node.extents, moved[index], within) if drawn[index] and not hidden else None
        found.append(box)
        # What is laid out but not drawn itself bounds nothing.
        bounds.append(box if box is not None and node.role not in _LOOSE else within)
    return found


def open_menus(nodes: Sequence[RawNode], found: Sequence[Box | None]) -> frozenset[int]:
    """Menus whose items are drawn."""
    around: list[int] = []
    for index, node in enumerate(nodes):
        above = around[node.parent] if node.parent >= 0 else -1
        around.append(index if node.role in _MENUS else above)
    return frozenset(
        around[node.parent]
        for node, box in zip(nodes, found, strict=True)
        if box is not None and node.role in _ITEMS and node.parent >= 0 and around[node.parent] >= 0
    )


def covered(screen: RawScreen, found: Sequence[Box | None]) -> list[bool]:
    """Whether each drawn object cannot be pressed because a menu, a modal dialog or another window is in
    front of it.
    """
    nodes = screen.nodes
    menus = open_menus(nodes, found)
    surfaces = _surfaces(screen)
    pile = {window.number: place for place, window in enumerate(screen.windows)}
    modal = any(
        node.parent < 0 and has(node.states, State.MODAL) and box is not None
        for node, box in zip(nodes, found, strict=True)
    )
    in_menu: list[bool] = []
    in_front: list[bool] = []
    drawn_on: list[RawWindow | None] = []
    answers: list[bool] = []
    for index, (node, box) in enumerate(zip(nodes, found, strict=True)):
        top = node.parent < 0
        in_menu.append(index in menus or (not top and in_menu[node.parent]))
        in_front.append(has(node.states, State.MODAL) if top else in_front[node.parent])
        drawn_on.append(surfaces.get(index) or (None if top else drawn_on[node.parent]))
        surface = drawn_on[index]
        if box is None or in_menu[index]:
            answers.append(False)
        elif menus:
            answers.append(top or nodes[node.parent].role != "menu_bar")
        else:
            above = screen.windows[pile[surface.number] + 1 :] if surface else ()
            answers.append((modal and not in_front[index]) or _under(box, above))
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


def _shifts(screen: RawScreen) -> dict[int, tuple[int, int]]:
    """What has to be added to the extents below each top-level window, where they count from its corner,
    and below each popover, where they count from the corner of the button that it belongs to.
    """
    found: dict[int, tuple[int, int]] = {}
    for index, window in _surfaces(screen).items():
        extents, corner = screen.nodes[index].extents, window.extents[:2]
        if screen.nodes[index].parent < 0:
            found[index] = (corner[0], corner[1])
        elif extents is not None:
            found[index] = (corner[0] - extents[0], corner[1] - extents[1])
    return found


def _panes(nodes: Sequence[RawNode]) -> Iterator[tuple[int, tuple[int, int]]]:
    """What has to be added below each root pane, where LibreOffice counts from the pane's own corner; nothing
    below the GTK widgets that it has put into it, which know where they are.
    """
    inside: list[tuple[int, int] | None] = []
    children = Counter(node.parent for node in nodes)
    for index, node in enumerate(nodes):
        shift = inside[node.parent] if node.parent >= 0 else None
        above = nodes[node.parent].extents if node.parent >= 0 else None
        if node.role == "root_pane" and node.extents is not None and above is not None:
            shift = above[0] - node.extents[0], above[1] - node.extents[1]
            yield index, shift
        elif shift is not None and children[node.parent] == 1 and _at_home(node.extents, above, shift):
            shift = None
            yield index, (0, 0)
        inside.append(shift)


def _at_home(extents: Extents | None, above: Extents | None, shift: tuple[int, int]) -> bool:
    """Whether the upper edge of an object is where that of what holds it is drawn."""
    if extents is None or above is None:
        return False
    return extents[:3] == (above[0] + shift[0], above[1] + shift[1], above[2])


def _surfaces(screen: RawScreen) -> dict[int, RawWindow]:
    """The X window of each top-level, and of each popover, which is known by its size."""
    found = _windows(screen)
    popups = {window.extents[2:]: window for window in screen.popups}
    for index, node in enumerate(screen.nodes):
        if node.parent >= 0 and node.extents is not None and node.extents[2:] in popups:
            found.setdefault(index, popups.pop(node.extents[2:]))
    return found


def _windows(screen: RawScreen) -> dict[int, RawWindow]:
    """The X window of each accessible top-level: of the same title, and of the nearest size."""
    left = list(screen.managed)
    found: dict[int, RawWindow] = {}
    for top, node in enumerate(screen.nodes):
        if node.parent >= 0:
            continue
        alike = [window for window in left if window.title == node.name] or left
        best = min(alike, key=lambda window: _unlike(node.extents, window), default=None)
        if best is not None:
            left.remove(best)
            found[top] = best
    return found


def _unlike(extents: Extents | None, window: RawWindow) -> int:
    if extents is None:
        return 1 << 30
    return abs(extents[2] - window.extents[2]) + abs(extents[3] - window.extents[3])


def _under(box: Box, windows: Sequence[RawWindow]) -> bool:
    x, y = box.centre
    return any(_surface(window).holds(x, y) for window in windows)


def _surface(window: RawWindow) -> Box:
    x, y, width, height = window.extents
    left, right, top, bottom = window.shadow
    return Box(x1=x + left, y1=y + top, x2=x + width - right, y2=y + height - bottom)

"""Programs beside each other: one list of Elements, in which every program has a place of its own. Pure.

Each program is understood by itself, so that its controls have the same keys beside any other program, with
its name before them: ``mousepad/window/textbox``. A menu that is open keeps the pointer from all others.
"""

from __future__ import annotations

from collections.abc import Sequence

from crawlers.desktop.raw import RawScreen
from crawlers.desktop.sight import Sight
from crawlers.desktop.tree import sight_of
from schemas.screen import Element

MAIN = "window"
"""Key of a program's main window, within the program."""


def beside(screens: Sequence[RawScreen]) -> Sight:
    """The Elements of all programs, in the order of these."""
    sights = [sight_of(screen) for screen in screens]
    if len(sights) == 1:
        return sights[0]
    elements: list[Element] = []
    busy = [sight.menus for sight in sights]
    for at, (screen, sight) in enumerate(zip(screens, sights, strict=True)):
        behind = any(busy[:at] + busy[at + 1 :])
        first = len(elements)
        elements += [_placed(each, screen.program, first, behind=behind) for each in sight.elements]
    pairs = tuple(zip(screens, sights, strict=True))
    return Sight(
        elements=tuple(elements),
        nodes={_within(s.program, key): node for s, sight in pairs for key, node in sight.nodes.items()},
        offered={_within(s.program, key): few for s, sight in pairs for key, few in sight.offered.items()},
    )


def front(sight: Sight) -> Element | None:
    """The window in front: one that has the focus inside, else the last that nothing covers. Of several
    programs the one that asks something goes before those that show their main windows.
    """
    uncovered = [window for window in sight.windows if not window.occluded] or list(sight.windows)
    focused = [window for window in uncovered if window.focused]
    latest: dict[str, Element] = {_program(window): window for window in uncovered}
    asking = [window for window in latest.values() if not is_main(window)]
    return next(iter(focused or asking or latest.values()), None)


def is_main(window: Element) -> bool:
    """Whether it is the main window of its program."""
    return window.key.rpartition("/")[2] == MAIN


def _program(window: Element) -> str:
    return window.key.rpartition("/")[0]


def _placed(element: Element, program: str, first: int, *, behind: bool) -> Element:
    """The Element among those of all programs, its own program's from place ``first`` on."""
    return element.model_copy(
        update={
            "key": _within(program, element.key),
            "template": _within(program, element.template),
            "parent": element.parent + first if element.parent >= 0 else -1,
            "form": _within(program, element.form) if element.form else "",
            "occluded": element.occluded or (behind and element.visible),
        }
    )


def _within(program: str, key: str) -> str:
    return f"{program}/{key}"

"""A Sight is a screen as it was understood: its Elements, and which object each of them is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from crawlers.desktop.raw import RawNode
from schemas.screen import Element


@dataclass(frozen=True)
class Sight:
    """The Elements of one screen, parents before children."""

    elements: tuple[Element, ...] = ()
    nodes: Mapping[str, RawNode] = field(default_factory=dict)
    """The object that an Element is, by its key."""
    offered: Mapping[str, tuple[RawNode, ...]] = field(default_factory=dict)
    """The objects that a combo box offers, by its key."""

    @property
    def menus(self) -> bool:
        """Whether a menu is open."""
        return any(
            each.role.startswith("menuitem")
            and each.visible
            and each.parent >= 0
            and self.elements[each.parent].role != "menubar"
            for each in self.elements
        )

    @property
    def windows(self) -> tuple[Element, ...]:
        """The top-level windows that are drawn."""
        return tuple(each for each in self.elements if each.parent < 0 and each.visible)

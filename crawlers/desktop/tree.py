"""From what was read to Elements. Pure.

Layout that says nothing (fillers, unnamed panels) is left out, and what lay in it moves up. Items of closed
menus stay: they are functions, though no pixels, so they are not visible and have no box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from crawlers.desktop.facts import Ref
from crawlers.desktop.groups import DIALOGS, in_choosers, in_forms, with_items
from crawlers.desktop.keys import Key, Piece, keys_of
from crawlers.desktop.labels import clean
from crawlers.desktop.places import boxes, covered, shown
from crawlers.desktop.quirks import Quirks, quirks_of
from crawlers.desktop.raw import RawNode, RawScreen
from crawlers.desktop.roles import State, aria, has
from crawlers.desktop.sight import Sight
from schemas.screen import Box, Element, Option

_ENTRY = frozenset({"textbox", "spinbutton", "slider"})
_PRESSED = frozenset(
    {
        *("button", "menuitem", "menuitemcheckbox", "menuitemradio", "checkbox", "radio", "tab", "link"),
        *("listitem", "cell", "treeitem", "columnheader", "combobox", "row"),
    }
)
"""Roles that are pressed whether or not the toolkit says what pressing does."""
_NAMELESS = ("",)
"""Actions of what nothing can be done to: WebKit gives every cell and row of a page one without a name."""
_TICKED = frozenset({"checkbox", "radio", "menuitemcheckbox", "menuitemradio"})
_HOLDS_TEXT = frozenset({"textbox", "spinbutton"})
_SILENT = frozenset({"generic", "none", "separator", "scrollbar"})
"""Roles that are left out unless they have a name (then they are a group)."""
_WHOLE = frozenset({"combo_box", "spin_button", "table_cell"})
"""Roles whose parts are no controls of their own, but for the field of a combo box."""
_LONGEST = 500


def sight_of(screen: RawScreen) -> Sight:
    """What one program shows."""
    quirks = quirks_of(screen.toolkit, screen.version)
    drawn = shown(screen.nodes, quirks)
    found = boxes(screen, drawn, quirks)
    hidden = covered(screen, found)
    kept = _kept(screen, quirks)
    places = {node: place for place, node in enumerate(kept)}
    parents = [_above(screen.nodes, node, places) for node in kept]
    roles = [_role(screen.nodes, node, quirks) for node in kept]
    keys = keys_of(
        [
            Piece(role, parent, screen.nodes[node].columns)
            for role, parent, node in zip(roles, parents, kept, strict=True)
        ]
    )
    make = _Maker(screen, quirks)
    elements = [
        make.element(node, role, parent, key, found[node], covered=hidden[node])
        for node, role, parent, key in zip(kept, roles, parents, keys, strict=True)
    ]
    boxed = [(key, node) for key, node, role in zip(keys, kept, roles, strict=True) if role == "combobox"]
    return Sight(
        elements=tuple(in_choosers(in_forms(with_items(elements)))),
        nodes={key.key: screen.nodes[node] for key, node in zip(keys, kept, strict=True)},
        offered={
            key.key: tuple(screen.nodes[at] for at in choices(screen.nodes, node)) for key, node in boxed
        },
    )


def label_of(node: RawNode, quirks: Quirks) -> str:
    """What a person would call an object by its own name."""
    return clean(node.name, echoes=quirks.echoes)


def _kept(screen: RawScreen, quirks: Quirks) -> list[int]:
    inside: list[bool] = []
    kept: list[int] = []
    for index, node in enumerate(screen.nodes):
        above = node.parent
        part = above >= 0 and (inside[above] or screen.nodes[above].role in _WHOLE)
        inside.append(part)
        own = not part or _entry(screen.nodes, index)
        if own and (aria(node.role) not in _SILENT or _is_group(node, quirks)):
            kept.append(index)
    return kept


def _entry(nodes: Sequence[RawNode], index: int) -> bool:
    """Whether it is the field of a combo box that takes words of one's own."""
    node = nodes[index]
    return (
        aria(node.role) == "textbox"
        and has(node.states, State.EDITABLE)
        and node.parent >= 0
        and nodes[node.parent].role == "combo_box"
    )


def _is_group(node: RawNode, quirks: Quirks) -> bool:
    return node.role == "panel" and bool(label_of(node, quirks))


def _above(nodes: Sequence[RawNode], index: int, places: dict[int, int]) -> int:
    above = nodes[index].parent
    while above >= 0 and above not in places:
        above = nodes[above].parent
    return places[above] if above >= 0 else -1


def _role(nodes: Sequence[RawNode], index: int, quirks: Quirks) -> str:
    node = nodes[index]
    if node.role == "panel" and _is_group(node, quirks):
        return "group"
    if node.role == "icon" and not has(node.states, State.SELECTABLE):
        return "img"
    role = aria(node.role)
    return "group" if role in DIALOGS and node.parent >= 0 else role


@dataclass
class _Maker:
    """Makes the Elements of one screen."""

    screen: RawScreen
    quirks: Quirks

    @cached_property
    def by_ref(self) -> dict[Ref, RawNode]:
        """Objects by what they are called on the bus."""
        return {Ref(node.owner, node.path): node for node in self.screen.nodes}

    @cached_property
    def entered(self) -> frozenset[int]:
        """Combo boxes with a field."""
        nodes = self.screen.nodes
        return frozenset(node.parent for index, node in enumerate(nodes) if _entry(nodes, index))

    @cached_property
    def parts(self) -> dict[int, list[str]]:
        """What the parts of each cell say."""
        found: dict[int, list[str]] = {}
        for node in self.screen.nodes:
            if node.parent >= 0 and node.role == "table_cell" and node.name:
                found.setdefault(node.parent, []).append(label_of(node, self.quirks))
        return found

    def element(  # noqa: PLR0913 - what is known of it, each by name
        self, index: int, role: str, parent: int, key: Key, box: Box | None, *, covered: bool
    ) -> Element:
        """One Element; forms and items are filled in when all are there."""
        node = self.screen.nodes[index]
        password = node.role == "password_text"
        ticks = role in _TICKED
        editable = self._editable(node, role)
        held = self._value(node, role)
        entered = role == "combobox" and index in self.entered
        label = self._label(index) or " ".join(self.parts.get(index, ()))
        return Element(
            key=key.key,
            template=key.template,
            parent=parent,
            role=role,
            tag="textarea" if has(node.states, State.MULTI_LINE) and editable else node.role,
            name=label,
            text=self._text(node, role, label),
            value="" if password else held,
            box=box,
            # Pressing a box with a field in it only enters the field.
            clickable=box is not None and role in _PRESSED and not entered and node.actions != _NAMELESS,
            editable=editable,
            checkable=ticks,
            # Toggle buttons are pressed like any other: calculators have digits that do not stay down.
            checked=has(node.states, State.CHECKED) or has(node.states, State.PRESSED),
            enabled=has(node.states, State.SENSITIVE) or has(node.states, State.ENABLED),
            focused=has(node.states, State.FOCUSED),
            password=password,
            visible=box is not None,
            occluded=box is not None and covered,
            required=has(node.states, State.REQUIRED),
            kind=self._kind(node, role, password=password),
            limits=_limits(node),
            options=self._options(index, held) if role == "combobox" else (),
        )

    def _label(self, index: int) -> str:
        node = self.screen.nodes[index]
        own = label_of(node, self.quirks)
        named_by = self.by_ref.get(Ref(node.owner, node.labelled_by)) if node.labelled_by else None
        beside = label_of(named_by, self.quirks).rstrip(":： ") if named_by else ""
        around = self._label(node.parent) if _entry(self.screen.nodes, index) else ""
        return own or beside or clean(node.description, echoes=self.quirks.echoes) or around or node.kind

    def _text(self, node: RawNode, role: str, label: str) -> str:
        if role in _HOLDS_TEXT or role == "combobox" or not node.text:
            return ""
        line = clean(node.text)[:_LONGEST]
        return "" if line == label else line

    def _value(self, node: RawNode, role: str) -> str:
        """What it holds; the Enter that sent a text does not belong to it."""
        if role == "combobox":
            return node.text.rstrip("\n") if node.text else label_of(node, self.quirks)
        if role in _HOLDS_TEXT and node.text is not None:
            return node.text.rstrip("\n")
        return f"{node.value:g}" if node.value is not None else ""

    def _editable(self, node: RawNode, role: str) -> bool:
        if role == "slider":
            return node.value is not None
        read_only = has(node.states, State.READ_ONLY) or node.role == "terminal"
        return role in _ENTRY and has(node.states, State.EDITABLE) and not read_only

    def _kind(self, node: RawNode, role: str, *, password: bool) -> str:
        if password:
            return "password"
        if role == "button" and has(node.states, State.IS_DEFAULT):
            return "submit"
        return {"spinbutton": "number", "slider": "range"}.get(role, "text" if role == "textbox" else "")

    def _options(self, index: int, held: str) -> tuple[Option, ...]:
        """The choices by place, which is the same in every language."""
        names = [label_of(self.screen.nodes[at], self.quirks) for at in choices(self.screen.nodes, index)]
        return tuple(
            Option(value=str(place), label=name, selected=bool(name) and name == held)
            for place, name in enumerate(names)
        )


def choices(nodes: Sequence[RawNode], combo: int) -> list[int]:
    """Indices of the objects that a combo box offers, in order."""
    inside = {combo}
    found: list[int] = []
    for index in range(combo + 1, len(nodes)):
        if nodes[index].parent not in inside:
            if nodes[index].parent < combo:
                break
            continue
        if nodes[index].role in {"menu_item", "list_item", "table_cell"}:
            found.append(index)
        else:
            inside.add(index)
    return found


def _limits(node: RawNode) -> str:
    if node.limits is None or node.limits[0] >= node.limits[1]:
        return ""
    return f"min={node.limits[0]:g};max={node.limits[1]:g}"

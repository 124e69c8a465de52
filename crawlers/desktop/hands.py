"""Hands perform the primitive actions: through pointer and keyboard where something is drawn, through the
accessibility bus where it is not, or where a value is meant and no gesture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dbus_fast import Variant

from crawlers.desktop import loop
from crawlers.desktop.input import Input
from crawlers.desktop.link import ATSPI, CallError
from crawlers.desktop.raw import RawNode
from crawlers.desktop.session import Session
from crawlers.desktop.settle import settle
from crawlers.desktop.sight import Sight
from crawlers.driver import DriverError
from schemas.action import Action, Check, Click, Drag, Hover, Press, Scroll, Select, Target, Type
from schemas.effect import Gesture
from schemas.screen import Element

_SECRET = re.compile(r"\{secret:([^}]+)\}")
_ACTIVATE = ("click", "activate", "press", "toggle", "showmenu", "jump")
"""Names of actions that do what a click does, in the order of preference."""


@dataclass
class Hands:
    """The primitives, on the screen as it was last seen."""

    session: Session
    sight: Sight
    secrets: Mapping[str, str]
    gesture: Gesture | None = None
    """What was pointed at last."""

    def do(self, action: Action) -> None:
        """Perform a primitive that is for an element, or for the keyboard.

        Raises:
            DriverError: it could not be done.
        """
        match action:
            case Click():
                self._click(action)
            case Hover():
                self._input.move(*self._point(self.find(action.target)))
            case Drag():
                end = self._point(self.find(action.onto))
                self._input.drag(self._point(self.find(action.target)), end)
            case Type():
                self._type(action)
            case Select():
                self._select(action)
            case Check():
                self._check(action)
            case Press():
                self._press(action)
            case Scroll():
                self._scroll(action)
            case _:
                raise DriverError("blocked", f"A desktop program cannot be made to {action.kind}.")

    def find(self, target: Target) -> Element:
        """The element with that key, or the one in the same place of the item that was meant.

        Raises:
            DriverError: there is none.
        """
        alike = [each for each in self.sight.elements if each.template == target.template]
        exact = (each for each in alike if each.key == target.key and each.item == target.item)
        moved = (each for each in alike if target.item and each.item == target.item)
        for element in (*exact, *moved):
            return element
        raise DriverError("target_missing", f"{_named(target)} is not on this screen.")

    @property
    def _input(self) -> Input:
        return Input(self.session.screen.display)

    def _node(self, element: Element) -> RawNode:
        return self.sight.nodes[element.key]

    def _point(self, element: Element) -> tuple[int, int]:
        """Where to press it.

        Raises:
            DriverError: it is disabled, covered or not drawn.
        """
        if not element.enabled:
            raise DriverError("blocked", f'The {element.role} "{element.label}" is disabled.')
        if element.occluded or element.box is None:
            why = "is covered" if element.occluded else "is not drawn"
            raise DriverError("blocked", f'The {element.role} "{element.label}" {why}.')
        x, y = element.box.centre
        self.gesture = Gesture(x=x, y=y, box=element.box)
        return x, y

    def _click(self, action: Click) -> None:
        x, y = self._point(self.find(action.target))
        self._input.click(x, y, action.button, action.count)

    def _check(self, action: Check) -> None:
        element = self.find(action.target)
        if element.checked == action.checked:
            return
        if "radio" in element.role and not action.checked:
            raise DriverError(
                "blocked", "A radio button cannot be unchecked; check another one of its group."
            )
        self._click(Click(target=action.target))

    def _activate(self, node: RawNode) -> bool:
        """Do what a click would do, without a pointer; False where the object offers nothing like it."""
        names = [name.lower() for name in node.actions] or ["click"] * ("Action" in node.interfaces)
        for wanted in _ACTIVATE:
            if wanted in names:
                self._call(node, "Action", "DoAction", "i", [names.index(wanted)])
                return True
        return False

    def _type(self, action: Type) -> None:
        element = self.find(action.target)
        node = self._node(element)
        text = self._plain(action.text)
        self._input.click(*self._point(element))
        settle(self.session)
        if not self._took(node, element, text, whole=action.clear_before):
            self._write(node, element, text, clear=action.clear_before)
            if not self._took(node, element, text, whole=action.clear_before):
                self._strokes(text, clear=action.clear_before)
                settle(self.session)
                if not self._took(node, element, text, whole=action.clear_before):
                    raise DriverError(
                        "blocked", f"{_named(action.target)} did not take the text as it was typed."
                    )
        if action.submit_after:
            self._input.press("Enter")

    def _write(self, node: RawNode, element: Element, text: str, *, clear: bool) -> None:
        """Put the text in at once, where the object takes it."""
        try:
            if element.role in {"spinbutton", "slider"} and "Value" in node.interfaces:
                self._set(node, float(text))
            elif "EditableText" in node.interfaces:
                held = "" if clear else self._held(node)
                self._call(node, "EditableText", "SetTextContents", "s", [held + text])
        except (CallError, ValueError):
            return
        settle(self.session)

    def _strokes(self, text: str, *, clear: bool) -> None:
        if clear:
            self._input.press("Control", "a")
            self._input.press("Delete")
        self._input.type(text)

    def _took(self, node: RawNode, element: Element, text: str, *, whole: bool) -> bool:
        """Whether a field holds what was typed; one that cannot be read is believed."""
        if element.password:
            return bool(self._count(node)) == bool(text)
        if "Value" in node.interfaces and element.role in {"spinbutton", "slider"}:
            return _same_number(str(self._get(node, "Value", "CurrentValue")), text)
        held, wanted = (" ".join(line.split()) for line in (self._held(node), text))
        return held == wanted if whole else held.endswith(wanted)

    def _select(self, action: Select) -> None:
        """Choose in a combo box by place; where it does not let itself be told, through its list."""
        element = self.find(action.target)
        node = self._node(element)
        self._point(element)
        place = int(action.value) if action.value.isdigit() else -1
        offered = self.sight.offered.get(element.key, ())
        if not 0 <= place < len(offered):
            raise DriverError("blocked", f"{_named(action.target)} has no choice {action.label!r}.")
        if "Selection" in node.interfaces and self._call(node, "Selection", "SelectChild", "i", [place])[0]:
            return
        if not self._activate(offered[place]):
            raise DriverError("blocked", f"{_named(action.target)} does not let itself be chosen from.")

    def _press(self, action: Press) -> None:
        if action.target is not None:
            self._input.click(*self._point(self.find(action.target)))
            # The window manager gives the keyboard to another program a moment after the click.
            settle(self.session)
        self._input.press(*action.keys)

    def _scroll(self, action: Scroll) -> None:
        if action.target is not None:
            self._input.move(*self._point(self.find(action.target)))
        else:
            self._input.move(self.session.screen.width // 2, self.session.screen.height // 2)
        self._input.wheel(action.reveal, action.pixels)

    def _held(self, node: RawNode) -> str:
        return str(self._call(node, "Text", "GetText", "ii", [0, -1])[0]) if "Text" in node.interfaces else ""

    def _count(self, node: RawNode) -> int:
        return int(self._get(node, "Text", "CharacterCount"))

    def _set(self, node: RawNode, value: float) -> None:
        body = [f"{ATSPI}Value", "CurrentValue", Variant("d", value)]
        loop.run(
            self.session.link.call(
                node.owner, node.path, "org.freedesktop.DBus.Properties", "Set", "ssv", body
            )
        )

    def _get(self, node: RawNode, interface: str, name: str) -> Any:
        return loop.run(self.session.link.get(node.owner, node.path, interface, name))

    def _call(self, node: RawNode, interface: str, member: str, signature: str, body: list[Any]) -> list[Any]:
        return loop.run(
            self.session.link.call(node.owner, node.path, ATSPI + interface, member, signature, body)
        )

    def _plain(self, text: str) -> str:
        def secret(found: re.Match[str]) -> str:
            if found[1] not in self.secrets:
                raise DriverError("blocked", f"The App has no secret called {found[1]}.")
            return self.secrets[found[1]]

        return _SECRET.sub(secret, text)


def _named(target: Target) -> str:
    return f'The {target.role} "{target.label}"' if target.label else f"The {target.role} {target.key}"


def _same_number(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return False

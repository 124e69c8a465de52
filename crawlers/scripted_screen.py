"""A Screen collects the elements of a scripted page and gives each a key, a place and a box."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from schemas.screen import Box, Element, Locator, Option

WIDTH, HEIGHT = 640, 960
_LINE = 20


class Screen:
    """A page under construction. Methods return the new element's index, for use as a parent."""

    def __init__(self, say: Callable[[str], str]) -> None:
        """An empty page; ``say`` translates a label."""
        self.elements: list[Element] = []
        self.say = say

    def add(self, role: str, name: str, label: str = "", *, parent: int = -1, **more: Any) -> int:
        """Any element. ``name`` makes its template (numbers left out) and, with the position among its
        like, its key; ``more`` are fields of ``Element``.
        """
        template = f"{role}:{re.sub(r'[0-9]+', '{}', name)}"
        place = sum(element.template == template for element in self.elements)
        key = f"{template}[{place}]"
        top = 4 + _LINE * len(self.elements)
        box = Box(x1=8, y1=top, x2=WIDTH - 8, y2=top + _LINE - 2) if top + _LINE <= HEIGHT else None
        self.elements.append(
            Element(
                key=key,
                template=template,
                parent=parent,
                role=role,
                name=self.say(label),
                box=box,
                locators=(Locator(kind="id", value=key),),
                **more,
            )
        )
        return len(self.elements) - 1

    def text(self, parent: int, line: str, *, item: str = "") -> int:
        """Plain text; what the App has no translation for is shown as it is."""
        return self.add("text", "text", parent=parent, text=self.say(line), item=item)

    def link(self, parent: int, label: str, href: str, *, item: str = "") -> int:
        """A link to an address of the App."""
        return self.add("link", href, label, parent=parent, tag="a", href=href, clickable=True, item=item)

    def button(self, parent: int, label: str, name: str, **more: Any) -> int:
        """A button; with ``kind`` ``submit`` it sends its ``form``."""
        return self.add("button", name, label, parent=parent, clickable=True, **more)

    def form(self, action: str) -> int:
        """A form that is sent to ``action``."""
        return self.add("form", action, form=action)

    def entry(self, form: int, label: str, field: str, kind: str, **more: Any) -> int:
        """A field to type into."""
        role = {"number": "spinbutton", "search": "searchbox"}.get(kind, "textbox")
        action = self.elements[form].form
        secret = kind == "password"
        return self.add(
            role,
            field,
            label,
            parent=form,
            form=action,
            field=field,
            kind=kind,
            editable=True,
            clickable=True,
            password=secret,
            **more,
        )

    def box(self, parent: int, label: str, field: str, *, checked: bool, **more: Any) -> int:
        """A checkbox."""
        return self.add(
            "checkbox",
            field,
            label,
            parent=parent,
            field=field,
            kind="checkbox",
            checkable=True,
            clickable=True,
            checked=checked,
            **more,
        )

    def choice(self, form: int, label: str, field: str, values: Sequence[str], value: str) -> int:
        """A select; the options are called like their values."""
        options = tuple(
            Option(value=each, label=self.say(each.title()), selected=each == value) for each in values
        )
        return self.add(
            "combobox",
            field,
            label,
            parent=form,
            form=self.elements[form].form,
            field=field,
            kind="select",
            clickable=True,
            options=options,
            value=value,
        )

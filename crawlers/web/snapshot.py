"""Raw walk → Elements and what else one capture of a page says. Pure."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from crawlers.web.keys import Key, keys_of
from crawlers.web.raw import RawNode, RawPage
from crawlers.web.routes import origin_of
from crawlers.web.traffic import MASK
from schemas.screen import Box, Element, Locator, Option, Quality

ITEM = 120
"""Characters kept of a repeated item's text."""
CANVAS_SHARE = 0.25
"""Share of the viewport from which a canvas is taken for the whole interface, if nothing else is there."""
_WALL = re.compile(
    r"(?:verify(?:ing)?|confirm) (?:that )?you are (?:a )?human|i'?m not a robot|are you a robot"
    r"|checking your browser|人机验证|我不是机器人|请完成安全验证",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Capture:
    """One page as it was read."""

    width: int
    height: int
    """Size of the image in pixels."""
    scale: float
    url: str = ""
    title: str = ""
    elements: tuple[Element, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Key → number of the node in the page's own registry."""
    plain: frozenset[str] = frozenset()
    """Keys of links that only lead somewhere: no script of the page listens to them."""
    quality: Quality = Quality.BLANK


def read(page: RawPage, secrets: frozenset[str] = frozenset()) -> Capture:
    """The Elements of a walk, in document order, boxes in pixels of the image and clipped to it. Values that
    are ``secrets`` are masked.
    """
    keys = keys_of(page)
    nodes = page["nodes"]
    reading = _Reading(page, keys, _items(nodes), secrets)
    elements = tuple(reading.element(index) for index in range(len(nodes)))
    return Capture(
        width=reading.width,
        height=reading.height,
        scale=page["scale"],
        url=page["url"],
        title=page["title"],
        elements=elements,
        numbers={
            key.key: node.get("number", index)
            for index, (key, node) in enumerate(zip(keys, nodes, strict=True))
        },
        plain=frozenset(keys[index].key for index, node in enumerate(nodes) if node.get("plain")),
        quality=quality_of(page, elements),
    )


def nameless(page: RawPage) -> tuple[int, ...]:
    """Displayed controls without any name, which only the browser's accessibility tree might know."""
    return tuple(
        index
        for index, node in enumerate(page["nodes"])
        if node.get("press")
        and not node.get("hidden")
        and not any(node.get(part) for part in ("name", "text", "hint", "item"))
    )


def quality_of(page: RawPage, elements: Sequence[Element]) -> Quality:
    """How far the capture can be trusted, as far as the page itself tells."""
    shown = [element for element in elements if element.visible]
    if page["walls"] or any(_WALL.search(element.label) for element in shown if len(element.label) < 200):
        return Quality.WALL
    controls = sum(element.clickable or element.editable for element in shown)
    drawn = page["canvas"] >= CANVAS_SHARE * page["width"] * page["height"]
    if drawn and controls == 0:
        return Quality.TREE_MISSING
    if not shown:
        return Quality.TREE_MISSING if page["canvas"] else Quality.BLANK
    missing = drawn or page["frames"] or page["capped"] or page["banner"]
    return Quality.PARTIAL if missing else Quality.OK


def _items(nodes: Sequence[RawNode]) -> Sequence[str]:
    texts: list[str] = []
    for node in nodes:
        above = node.get("p", -1)
        own = node.get("item", "").strip()
        texts.append(_shorten(own) if own else texts[above] if above >= 0 else "")
    return texts


def _shorten(text: str) -> str:
    if len(text) <= ITEM:
        return text
    head = text[: ITEM + 1]
    return head.rsplit(" ", 1)[0] if " " in head else text[:ITEM]


@dataclass(frozen=True)
class _Reading:
    """One walk on its way to Elements."""

    page: RawPage
    keys: Sequence[Key]
    items: Sequence[str]
    secrets: frozenset[str]

    @property
    def width(self) -> int:
        return round(self.page["width"] * self.page["scale"])

    @property
    def height(self) -> int:
        return round(self.page["height"] * self.page["scale"])

    def element(self, index: int) -> Element:
        node, key = self.page["nodes"][index], self.keys[index]
        kind, value, href = node.get("kind", ""), node.get("value", ""), node.get("href", "")
        group = node.get("group", -1)
        return Element(
            key=sys.intern(key.key),  # screens of one App have most of their texts in common
            template=sys.intern(key.template),
            parent=node.get("p", -1),
            role=node["role"],
            tag=node["tag"],
            name=sys.intern(node.get("name", "")),
            text=sys.intern(_text(node)),
            value=MASK if value in self.secrets else value,
            placeholder=node.get("hint", ""),
            box=self._box(node),
            clickable=bool(node.get("press")) and kind != "file",
            editable=bool(node.get("edit")) or kind == "file",
            checkable="check" in node,
            checked=bool(node.get("check")),
            enabled=not node.get("off"),
            focused=bool(node.get("focus")),
            password=bool(node.get("secret")),
            scrollable=bool(node.get("scrolls")),
            visible=not node.get("hidden"),
            occluded=bool(node.get("covered")),
            live=bool(node.get("live")),
            required=bool(node.get("required")),
            kind=kind,
            limits=node.get("limits", ""),
            field=node.get("field", ""),
            form=self.keys[group].key if group >= 0 else "",
            href=sys.intern(_leads_to(href, origin_of(self.page["url"]))),
            options=_options(node),
            item=sys.intern(self.items[index]),
            frame=tuple(node.get("frame", ())),
            locators=_locators(node),
        )

    def _box(self, node: RawNode) -> Box | None:
        """In whole pixels of the image, clipped to it; None when nothing of it is inside."""
        if node.get("hidden") or "box" not in node:
            return None
        left, top, right, bottom = (round(side * self.page["scale"]) for side in node["box"])
        box = Box(x1=max(left, 0), y1=max(top, 0), x2=min(right, self.width), y2=min(bottom, self.height))
        return box if box.x2 > box.x1 and box.y2 > box.y1 else None


def _leads_to(href: str, origin: str) -> str:
    """Path, query and fragment inside the App; else the whole URL."""
    inside = href == origin or href.startswith(f"{origin}/")
    return href.removeprefix(origin) or "/" if inside else href


def _text(node: RawNode) -> str:
    """Own text; of a select, the labels of what is chosen."""
    if "options" in node:
        return ", ".join(label for _, label, selected in node["options"] if selected)
    return node.get("text", "")


def _options(node: RawNode) -> tuple[Option, ...]:
    choices = node.get("options", ())
    return tuple(Option(value=value, label=label, selected=selected) for value, label, selected in choices)


def _locators(node: RawNode) -> tuple[Locator, ...]:
    """Addresses by attribute first, then the place in the tree."""
    found = [Locator(kind="css", value=sys.intern(selector)) for selector in node.get("css", ())]
    if "at" in node:
        kind: Literal["css", "xpath"] = "css" if " >>> " in node["at"] else "xpath"
        found.append(Locator(kind=kind, value=sys.intern(node["at"])))
    return tuple(found)

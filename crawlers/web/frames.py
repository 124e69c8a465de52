"""Frames whose origin is another: read by themselves and put where they are displayed.

One script cannot read across origins, so each is a pane of its own. Only origins of the App are ever loaded
(see ``crawlers.web.browser``); what could not be loaded stays a frame without contents.
"""

from __future__ import annotations

import contextlib
import json

from crawlers.driver import DriverError
from crawlers.web.names import complete
from crawlers.web.pane import DocumentGone, Pane
from crawlers.web.raw import RawNode, RawPage, Sealed
from crawlers.web.routes import origin_of

DEPTH = 4
"""Panes inside one another that are read."""
_ERROR_PAGE = "chrome-error:"


async def walk(pane: Pane, depth: int = DEPTH, *, consent: str = "") -> RawPage | None:
    """The walk of a pane with those of the panes inside it. A banner that asks for consent is answered with
    ``consent`` where that is given; None where there was one, since the page is about to change.

    Raises:
        DialogOpen, DriverError, DocumentGone: as ``Pane.call``.
    """
    page: RawPage | None = json.loads(await pane.call(f"groundsmith.walk({json.dumps(consent)})"))
    if page is None:
        return None
    await complete(page, pane)
    sealed = [index for index, node in enumerate(page["nodes"]) if "sealed" in node]
    # From the end, so that the places of those before stay as they are.
    for index in reversed(sealed if depth else ()):
        inner = await _inside(pane, index, depth)
        if inner is not None:
            _insert(page, index, inner)
    return page


async def _inside(pane: Pane, index: int, depth: int) -> RawPage | None:
    """The walk of the pane in a frame; None where there is none to read."""
    with contextlib.suppress(DocumentGone, DriverError):
        inside = await pane.inside(index)
        page = await walk(inside, depth - 1) if inside is not None else None
        if page is not None and not page["url"].startswith(_ERROR_PAGE):
            return page
    return None


def _insert(page: RawPage, index: int, inner: RawPage) -> None:
    """Put the nodes of a frame's pane behind the frame."""
    nodes = page["nodes"]
    frame = nodes[index]
    many = len(inner["nodes"])
    for place, node in enumerate(nodes):
        node.setdefault("number", place)
        if node.get("p", -1) > index:
            node["p"] += many
        if node.get("group", -1) > index:
            node["group"] += many
    page["nodes"] = [
        *nodes[: index + 1],
        *(_moved(page, frame, index, inner, place) for place in range(many)),
        *nodes[index + 1 :],
    ]
    page["frames"] += inner["frames"] - 1
    page["canvas"] += inner["canvas"]
    page["walls"] += inner["walls"]
    page["capped"] = page["capped"] or inner["capped"]


def _moved(page: RawPage, frame: RawNode, index: int, inner: RawPage, place: int) -> RawNode:
    """A node of the inner pane as one of the outer: its links, its frames and where it is displayed."""
    node = inner["nodes"][place]
    node.setdefault("number", place)
    node["p"] = node["p"] + index + 1 if node.get("p", -1) >= 0 else index
    if node.get("group", -1) >= 0:
        node["group"] += index + 1
    at = frame["sealed"]
    node["frame"] = [*frame.get("frame", []), at["at"], *node.get("frame", [])]
    if "box" in node:
        node["box"] = _within(node["box"], at)
    if frame.get("covered") and node.get("press"):
        node["covered"] = True
    href = node.get("href", "")
    if origin_of(href) == origin_of(inner["url"]):
        # The origins of an App are one place: its links are written without them.
        node["href"] = origin_of(page["url"]) + href.removeprefix(origin_of(href))
    return node


def _within(box: list[float], at: Sealed) -> list[float]:
    (left, top), edges = at["corner"], at["edges"]
    x1, y1, x2, y2 = box
    return [
        max(x1 + left, edges[0]),
        max(y1 + top, edges[1]),
        min(x2 + left, edges[2]),
        min(y2 + top, edges[3]),
    ]

"""Putting the walk of one pane into that of another; the panes are played."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from crawlers.driver import DriverError
from crawlers.web.frames import walk
from crawlers.web.snapshot import read
from schemas.screen import Box, Quality


class Played:
    """A pane that says what it is told, with panes inside."""

    def __init__(self, page: dict[str, Any], **inside: Played) -> None:
        self.page = page
        self._inside = inside

    async def call(self, _: str) -> str:
        if not self.page:
            raise DriverError("crashed", "It cannot be read.")
        return json.dumps(self.page)

    async def inside(self, number: int) -> Played | None:
        return self._inside.get(f"at{number}")

    async def accessible_name(self, _: int) -> str:
        return ""


def page(origin: str, *nodes: dict[str, Any], frames: int = 0) -> dict[str, Any]:
    plain = {"title": "", "width": 400, "height": 300, "scale": 1, "canvas": 0, "walls": [], "capped": False}
    kept = [{"p": -1, "tag": "div", **node} for node in nodes]
    return {**plain, "url": f"{origin}/page", "frames": frames, "banner": False, "nodes": kept}


def frame(left: float, top: float, *edges: float) -> dict[str, Any]:
    box = [left, top, left + 200, top + 100]
    sealed = {"at": "#f", "corner": [left, top], "edges": list(edges) or box}
    return {"role": "iframe", "tag": "iframe", "box": box, "sealed": sealed}


def button(name: str, *box: float, **more: Any) -> dict[str, Any]:
    return {"role": "button", "name": name, "press": True, "box": list(box), **more}


def look(pane: Played) -> Any:
    return read(asyncio.run(walk(pane)))  # type: ignore[arg-type]


THEIRS, OURS = "http://127.0.0.1:2", "http://127.0.0.1:1"


def test_what_is_in_a_frame_is_put_where_the_frame_is_displayed() -> None:
    group = {"role": "form", "tag": "form", "box": [0, 0, 200, 100]}
    inner = page(THEIRS, group, button("In", 10, 10, 50, 30, p=0, group=0, href=f"{THEIRS}/terms"))
    outer = page(
        OURS, button("Before", 0, 0, 9, 9), frame(100, 50), button("After", 0, 200, 9, 209), frames=1
    )
    seen = look(Played(outer, at1=Played(inner)))
    before, holder, form, inside, after = seen.elements
    assert seen.quality is Quality.OK
    assert inside.box == Box(x1=110, y1=60, x2=150, y2=80)
    assert (form.parent, inside.parent) == (1, 2)
    assert (inside.frame, inside.form, inside.href) == (("#f",), form.key, "/terms")
    assert [before.label, holder.role, after.label] == ["Before", "iframe", "After"]
    assert [seen.numbers[each.key] for each in (before, holder, form, inside, after)] == [0, 1, 0, 1, 2]


def test_what_the_frame_does_not_show_has_no_box() -> None:
    inner = page(THEIRS, button("High", 0, 0, 50, 20), button("Low", 0, 80, 50, 100))
    outer = page(OURS, frame(0, 0, 0, 0, 200, 50), frames=1)
    _, high, low = look(Played(outer, at0=Played(inner))).elements
    assert high.box == Box(x1=0, y1=0, x2=50, y2=20)
    assert (low.box, low.visible) == (None, True)


def test_panes_are_read_inside_one_another() -> None:
    core = page("null", button("Core", 1, 1, 5, 5))
    middle = page(THEIRS, frame(10, 10), frames=1)
    outer = page(OURS, frame(100, 100), frames=1)
    *_, found = look(Played(outer, at0=Played(middle, at0=Played(core)))).elements
    assert (found.frame, found.box) == (("#f", "#f"), Box(x1=111, y1=111, x2=115, y2=115))


def test_a_frame_that_cannot_be_read_is_a_hole() -> None:
    refused = page("chrome-error://chromewebdata", button("Reload", 0, 0, 9, 9))
    for inside in (Played({}), Played(refused)):
        seen = look(Played(page(OURS, frame(0, 0), button("Own", 0, 200, 9, 209), frames=1), at0=inside))
        assert [each.role for each in seen.elements] == ["iframe", "button"]
        assert seen.quality is Quality.PARTIAL

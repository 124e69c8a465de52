"""Finding an element again: in which pane it is, where it can be pressed, and what keeps one from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crawlers.driver import DriverError
from crawlers.web.pane import Pane
from crawlers.web.tab import Tab
from schemas.action import Target

REVEAL_S = 0.3
"""Longest wait for a control to show under the pointer."""


class CoveredError(DriverError):
    """Something lies over it."""


@dataclass(frozen=True)
class Spot:
    """Where an element can be pressed, in CSS pixels of the viewport, and what it is."""

    pane: Pane
    """Where it was found, and is held for ``Pane.act``."""
    x: float
    y: float
    box: tuple[float, float, float, float]
    kind: str
    tag: str
    opens: bool
    """Whether it leads to a window of its own."""
    leads: bool
    """Whether it is a link to a document."""
    checked: bool


@dataclass
class Finder:
    """Finds elements of one window. ``numbers`` maps keys of the last walk to numbers in their panes."""

    tab: Tab
    numbers: Mapping[str, int]

    async def spot(self, target: Target) -> Spot:
        """Bring an element into view, with nothing on top of it.

        Raises:
            DriverError: ``target_missing`` or ``blocked``.
        """
        return await self._spot(self._spec(target), target)

    async def twin(self, target: Target, number: int) -> Spot:
        """As ``spot``, for a node that a pane has numbered, in the frame of the target."""
        return await self._spot({"number": number, "frame": target.frame}, target)

    async def hold(self, target: Target) -> Pane:
        """The pane of an element that need not be displayed; it is held there for ``Pane.act``.

        Raises:
            DriverError: ``target_missing``.
        """
        answer, pane = await _locate(self.tab.pane, self._spec(target))
        if answer.get("missing"):
            raise _missing(target)
        return pane

    def _spec(self, target: Target) -> dict[str, Any]:
        places = [locator.value for locator in target.locators if _is_place(locator.kind, locator.value)]
        return {
            "css": [locator.value for locator in target.locators if locator.value not in places],
            "number": self.numbers.get(target.key, -1),
            "paths": places,
            "frame": target.frame,
            "role": target.role,
        }

    async def _spot(self, spec: Mapping[str, Any], target: Target) -> Spot:
        answer, pane = await _locate(self.tab.pane, spec)
        if "near" in answer:
            # Some controls show only while the pointer is there, as it would be on its way to them.
            x, y = answer["near"]
            await self.tab.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
            await self.tab.rest(quiet_ms=0, cap_s=REVEAL_S)
            answer, pane = await _locate(self.tab.pane, spec)
        if answer.get("missing"):
            raise _missing(target)
        if "blocked" in answer:
            raise DriverError("blocked", f"{named(target)} cannot be used: {answer['blocked']}.")
        if answer["cover"]:
            raise CoveredError("blocked", f"{named(target)} cannot be used: {answer['cover']} covers it.")
        left, top, right, bottom = answer["box"]
        return Spot(
            pane=pane,
            x=answer["x"],
            y=answer["y"],
            box=(left, top, right, bottom),
            kind=answer["kind"],
            tag=answer["tag"],
            opens=answer["opens"],
            leads=answer["leads"],
            checked=answer["checked"],
        )


def named(target: Target) -> str:
    """What a sentence calls it."""
    return f'The {target.role} "{target.label}"' if target.label else f"The {target.role} {target.key}"


def _missing(target: Target) -> DriverError:
    return DriverError("target_missing", f"{named(target)} is not on this screen.")


def _is_place(kind: str, value: str) -> bool:
    """Whether a locator says where an element stands, rather than what it is."""
    return kind == "xpath" or ":nth-of-type(" in value


async def _locate(pane: Pane, spec: Mapping[str, Any]) -> tuple[dict[str, Any], Pane]:
    """What ``acts.js`` says of an element, in pixels of the pane's viewport, and the pane that it is in."""
    answer = json.loads(await pane.call(f"groundsmith.locate({json.dumps(spec)})"))
    if "sealed" not in answer:
        return answer, pane
    number = answer["sealed"]
    inside = await pane.inside(number)
    if inside is None:
        return {"missing": True}, pane
    answer, where = await _locate(inside, {**spec, "frame": answer["rest"]})
    x, y = answer.get("near", (answer.get("x", 0), answer.get("y", 0)))
    at = json.loads(await pane.call(f"groundsmith.bring({number}, {x}, {y})"))
    if "near" in answer:
        answer["near"] = [x + at["x"], y + at["y"]]
    if "box" in answer:
        left, top, right, bottom = answer["box"]
        answer |= {"x": x + at["x"], "y": y + at["y"], "cover": answer["cover"] or at["cover"]}
        answer["box"] = [left + at["x"], top + at["y"], right + at["x"], bottom + at["y"]]
    return answer, where

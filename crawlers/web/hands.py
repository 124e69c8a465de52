"""Hands perform the primitive actions on one Tab, through the browser's own mouse and keyboard."""

from __future__ import annotations

import asyncio
import json
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from crawlers.driver import DriverError
from crawlers.web.tab import Tab
from schemas.action import Action, Check, Click, Hover, Press, Scroll, Select, Target, Type, Upload
from schemas.effect import Gesture
from schemas.screen import Box

_ASSIGNED = frozenset({"date", "time", "datetime-local", "month", "week", "color", "range"})
"""Input types whose widgets take a value, not letters."""
REVEAL_S = 0.3
"""Longest wait for a control to show under the pointer."""
_SECRET = re.compile(r"\{secret:([^}]+)\}")
_SHIFT = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_SINGLE_LINE = re.compile(r"[\r\n]+")


@dataclass(frozen=True)
class Spot:
    """Where an element can be pressed, in CSS pixels of the viewport, and what it is."""

    x: float
    y: float
    box: tuple[float, float, float, float]
    cover: str
    """What lies on top of it; empty when nothing does."""
    kind: str
    tag: str
    opens: bool
    """Whether it leads to a window of its own."""
    leads: bool
    """Whether it is a link to a document."""
    checked: bool


@dataclass
class Hands:
    """The primitives. ``numbers`` maps keys of the last walk to nodes; ``scale`` is image per CSS pixel."""

    tab: Tab
    secrets: Mapping[str, str]
    numbers: Mapping[str, int]
    scale: float
    spot: Spot | None = None
    """What was pointed at last."""

    async def do(self, action: Action) -> None:
        """Perform a primitive that is for an element, or for the keyboard."""
        match action:
            case Click():
                await self.click(action)
            case Hover():
                await self.hover(action)
            case Type():
                await self.type(action)
            case Select():
                await self.select(action)
            case Check():
                await self.check(action)
            case Upload():
                await self.upload(action)
            case Press():
                await self.press(action)
            case Scroll():
                await self.scroll(action)

    async def click(self, action: Click) -> None:
        """Press and release, as often as asked."""
        spot = await self.reach(action.target)
        await self._press(spot, action.button, action.count)

    async def hover(self, action: Hover) -> None:
        """Move the pointer there."""
        spot = await self.reach(action.target)
        await self.tab.until(self._mouse("mouseMoved", spot.x, spot.y))

    async def type(self, action: Type) -> None:
        """Enter text, read it back, and send it where that was asked for."""
        spot = await self.reach(action.target)
        text = self._plain(action.text)
        if spot.kind in _ASSIGNED:
            await self.tab.pane.act("assign", text)
        else:
            await self.tab.pane.act("focus", action.clear_before)
            await self.tab.until(asyncio.gather(*self._strokes(text, clear=action.clear_before)))
        held = str((await self.tab.pane.act("read"))["value"])
        if not _took(held, text, spot, whole=action.clear_before):
            raise DriverError("blocked", f"{_named(action.target)} did not take the text as it was typed.")
        if action.submit_after:
            await self.tab.until(self.tab.page.keyboard.press("Enter"))

    async def select(self, action: Select) -> None:
        """Choose an option of a select, or the member of a radio group."""
        spot = await self.reach(action.target)
        if spot.kind == "radio":
            number = (await self.tab.pane.act("member", action.value))["number"]
            spot = await self._locate({"number": number}, action.target)
            await self._press(spot, "left", 1)
        elif spot.tag == "select":
            answer = await self.tab.pane.act("select", action.value, action.label)
            if "blocked" in answer:
                raise DriverError("blocked", f"{_named(action.target)}: {answer['blocked']}.")
        else:
            raise DriverError("blocked", f"{_named(action.target)} is neither a select nor a radio button.")

    async def check(self, action: Check) -> None:
        """Bring a box to a state with one press, or none."""
        spot = await self.reach(action.target)
        if spot.checked == action.checked:
            return
        if spot.kind == "radio" and not action.checked:
            raise DriverError(
                "blocked", "A radio button cannot be unchecked; check another one of its group."
            )
        await self._press(spot, "left", 1)

    async def upload(self, action: Upload) -> None:
        """Give a file field a file that never touches the disk."""
        await self._locate(self._spec(action.target), action.target, covered=True)
        kind = mimetypes.guess_type(action.asset)[0] or "application/octet-stream"
        await self.tab.pane.act("upload", action.asset, kind, action.content)

    async def press(self, action: Press) -> None:
        """Press keys together."""
        if action.target is not None:
            await self.reach(action.target)
            await self.tab.pane.act("focus", False)  # noqa: FBT003 - JSON for the page
        await self.tab.until(self.tab.page.keyboard.press("+".join(action.keys)))

    async def scroll(self, action: Scroll) -> None:
        """Scroll the target, or what the page scrolls by itself."""
        if action.target is not None:
            await self._locate(self._spec(action.target), action.target, covered=True)
        else:
            await self.tab.pane.call("groundsmith.release()")
        across, down = _SHIFT[action.reveal]
        await self.tab.pane.act("scroll", across * action.pixels, down * action.pixels)

    async def reach(self, target: Target) -> Spot:
        """Find an element and bring it into view, with nothing on top of it.

        Raises:
            DriverError: ``target_missing`` or ``blocked``.
        """
        self.spot = await self._locate(self._spec(target), target)
        return self.spot

    def gesture(self) -> Gesture | None:
        """What was pointed at last, in pixels of the image."""
        spot = self.spot
        if spot is None:
            return None
        left, top, right, bottom = (round(side * self.scale) for side in spot.box)
        return Gesture(
            x=round(spot.x * self.scale),
            y=round(spot.y * self.scale),
            box=Box(x1=left, y1=top, x2=right, y2=bottom),
            hit=not spot.cover,
        )

    def _spec(self, target: Target) -> dict[str, Any]:
        places = [locator.value for locator in target.locators if _is_place(locator.kind, locator.value)]
        return {
            "css": [locator.value for locator in target.locators if locator.value not in places],
            "number": self.numbers.get(target.key, -1),
            "paths": places,
            "frame": target.frame,
            "role": target.role,
        }

    async def _locate(self, spec: Mapping[str, Any], target: Target, *, covered: bool = False) -> Spot:
        ask = f"groundsmith.locate({json.dumps(spec)})"
        answer = json.loads(await self.tab.pane.call(ask))
        if "near" in answer and not covered:
            # Some controls show only while the pointer is there, as it would be on its way to them.
            x, y = answer["near"]
            await self.tab.until(self._mouse("mouseMoved", x, y))
            await self.tab.rest(quiet_ms=0, cap_s=REVEAL_S)
            answer = json.loads(await self.tab.pane.call(ask))
        if answer.get("missing"):
            raise DriverError("target_missing", f"{_named(target)} is not on this screen.")
        if covered and "blocked" in answer:
            return Spot(0, 0, (0, 0, 0, 0), "", "", "", opens=False, leads=False, checked=False)
        if "blocked" in answer:
            raise DriverError("blocked", f"{_named(target)} cannot be used: {answer['blocked']}.")
        if answer["cover"] and not covered:
            raise DriverError("blocked", f"{_named(target)} cannot be used: {answer['cover']} covers it.")
        left, top, right, bottom = answer["box"]
        return Spot(
            x=answer["x"],
            y=answer["y"],
            box=(left, top, right, bottom),
            cover=answer["cover"],
            kind=answer["kind"],
            tag=answer["tag"],
            opens=answer["opens"],
            leads=answer["leads"],
            checked=answer["checked"],
        )

    async def _press(self, spot: Spot, button: Literal["left", "right", "middle"], count: int) -> None:
        steps = [self._mouse("mouseMoved", spot.x, spot.y)]
        for times in range(1, count + 1):
            steps.append(self._mouse("mousePressed", spot.x, spot.y, button, times))
            steps.append(self._mouse("mouseReleased", spot.x, spot.y, button, times))
        await self.tab.until(asyncio.gather(*steps))

    def _mouse(self, kind: str, x: float, y: float, button: str = "none", count: int = 0) -> Any:
        held = {"left": 1, "right": 2, "middle": 4}.get(button, 0) if kind == "mousePressed" else 0
        return self.tab.cdp.send(
            "Input.dispatchMouseEvent",
            {"type": kind, "x": x, "y": y, "button": button, "buttons": held, "clickCount": count},
        )

    def _strokes(self, text: str, *, clear: bool) -> list[Any]:
        """All at once but for the last letter, which is a real key press: some pages listen to keys only."""
        send = self.tab.cdp.send
        if not text:
            code = {"key": "Backspace", "code": "Backspace", "windowsVirtualKeyCode": 8}
            down, rise = {"type": "rawKeyDown", **code}, {"type": "keyUp", **code}
            return [send("Input.dispatchKeyEvent", stroke) for stroke in (down, rise)] if clear else []
        body, last = text[:-1], text[-1]
        strokes = [send("Input.insertText", {"text": body})] if body else []
        if last in "\r\n":
            return [*strokes, send("Input.insertText", {"text": last})]
        for kind, more in (("keyDown", {"text": last, "unmodifiedText": last}), ("keyUp", {})):
            strokes.append(send("Input.dispatchKeyEvent", {"type": kind, "key": last, **more}))
        return strokes

    def _plain(self, text: str) -> str:
        def secret(found: re.Match[str]) -> str:
            if found[1] not in self.secrets:
                raise DriverError("blocked", f"The App has no secret called {found[1]}.")
            return self.secrets[found[1]]

        return _SECRET.sub(secret, text)


def _is_place(kind: str, value: str) -> bool:
    """Whether a locator says where an element stands, rather than what it is."""
    return kind == "xpath" or ":nth-of-type(" in value


def _named(target: Target) -> str:
    return f'The {target.role} "{target.label}"' if target.label else f"The {target.role} {target.key}"


def _took(held: str, text: str, spot: Spot, *, whole: bool) -> bool:
    """Whether a field holds what was typed; the browser may spell numbers and line ends its own way."""
    wanted = text if spot.tag == "textarea" else _SINGLE_LINE.sub("", text)
    one, other = " ".join(held.split()), " ".join(wanted.split())
    if spot.kind == "number":
        try:
            return float(one or "nan") == float(other or "nan") or one == other
        except ValueError:
            return False
    if spot.kind in {"color", "email"}:
        return one.lower() == other.lower()
    return one == other if whole else one.endswith(other)

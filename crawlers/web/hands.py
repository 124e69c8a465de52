"""Hands perform the primitive actions on one Tab, through the browser's own mouse and keyboard."""

from __future__ import annotations

import asyncio
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from crawlers.driver import DriverError
from crawlers.web.finder import Finder, Spot, named
from crawlers.web.tab import Tab
from schemas.action import Action, Check, Click, Drag, Hover, Press, Scroll, Select, Target, Type, Upload
from schemas.effect import Gesture
from schemas.screen import Box

_ASSIGNED = frozenset({"date", "time", "datetime-local", "month", "week", "color", "range"})
"""Input types whose widgets take a value, not letters."""
_SECRET = re.compile(r"\{secret:([^}]+)\}")
_SHIFT = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_SINGLE_LINE = re.compile(r"[\r\n]+")


@dataclass
class Hands:
    """The primitives; ``scale`` is image pixels per CSS pixel."""

    tab: Tab
    finder: Finder
    secrets: Mapping[str, str]
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
            case Drag():
                raise DriverError(
                    "blocked", "Nothing can be dragged on a page yet, only in desktop programs."
                )

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
            await spot.pane.act("assign", text)
        else:
            await spot.pane.act("focus", action.clear_before)
            await self.tab.until(asyncio.gather(*self._strokes(text, clear=action.clear_before)))
        held = str((await spot.pane.act("read"))["value"])
        if not _took(held, text, spot, whole=action.clear_before):
            raise DriverError("blocked", f"{named(action.target)} did not take the text as it was typed.")
        if action.submit_after:
            await self.tab.until(self.tab.page.keyboard.press("Enter"))

    async def select(self, action: Select) -> None:
        """Choose an option of a select, or the member of a radio group."""
        spot = await self.reach(action.target)
        if spot.kind == "radio":
            number = (await spot.pane.act("member", action.value))["number"]
            await self._press(await self.finder.twin(action.target, number), "left", 1)
        elif spot.tag == "select":
            answer = await spot.pane.act("select", action.value, action.label)
            if "blocked" in answer:
                raise DriverError("blocked", f"{named(action.target)}: {answer['blocked']}.")
        else:
            raise DriverError("blocked", f"{named(action.target)} is neither a select nor a radio button.")

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
        pane = await self.finder.hold(action.target)
        kind = mimetypes.guess_type(action.asset)[0] or "application/octet-stream"
        await pane.act("upload", action.asset, kind, action.content)

    async def press(self, action: Press) -> None:
        """Press keys together."""
        if action.target is not None:
            spot = await self.reach(action.target)
            await spot.pane.act("focus", False)  # noqa: FBT003 - JSON for the page
        await self.tab.until(self.tab.page.keyboard.press("+".join(action.keys)))

    async def scroll(self, action: Scroll) -> None:
        """Scroll the target, or what the page scrolls by itself."""
        if action.target is not None:
            pane = await self.finder.hold(action.target)
        else:
            pane = self.tab.pane
            await pane.call("groundsmith.release()")
        across, down = _SHIFT[action.reveal]
        await pane.act("scroll", across * action.pixels, down * action.pixels)

    async def reach(self, target: Target) -> Spot:
        """Find an element and bring it into view, with nothing on top of it.

        Raises:
            DriverError: ``target_missing`` or ``blocked``.
        """
        self.spot = await self.finder.spot(target)
        return self.spot

    async def leave(self) -> bool:
        """Leave the line that is being filled in, by Tab: what it opened, a calendar or suggestions, may lie
        over the next one, and goes with it. Whether there is such a line.
        """
        if await self.tab.pane.call("String(document.activeElement.matches('input'))") != "true":
            return False
        await self.tab.until(self.tab.page.keyboard.press("Tab"))
        return True

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

"""A Pane is one tree of documents that one script of ours can read: a window's own, frames of the same
origin included, or that of a frame whose origin is another.

The scripts that read it and act on it live in an isolated world of it, out of reach of the page's own.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from typing import Any

from crawlers.driver import DriverError

Send = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]
"""Sends a DevTools command to the window; raises as ``Tab.send``."""

_WORLD = "groundsmith"
_READER = (
    *("dom", "places", "sight", "names", "locators", "items", "groups"),
    *("describe", "consent", "walk", "acts"),
)
"""In this order: each may use those before it."""


class DocumentGone(Exception):  # noqa: N818 - it is news, not a fault
    """The document that was spoken to has been replaced by another, or its window closed."""


class Pane:
    """The documents below one frame, as far as their origin is the same. Lives on the browser's loop."""

    def __init__(self, send: Send, frame: str) -> None:
        """``frame`` is the browser's id of the outermost frame."""
        self._send = send
        self._frame = frame
        self._world: int | None = None
        self._inner: dict[str, Pane] = {}

    async def call(self, expression: str) -> str:
        """Evaluate an expression that yields a string.

        Raises:
            DialogOpen, DriverError, DocumentGone: as ``Tab.send``.
        """
        try:
            answer = await self._evaluate(expression)
        except DocumentGone:
            if self._world is not None:
                raise
            # The world belonged to the document before this one.
            answer = await self._evaluate(expression)
        return value_of(answer)

    async def act(self, name: str, *args: object) -> dict[str, Any]:
        """One of ``page/acts.js`` on the element that was located last."""
        answer = json.loads(await self.call(f"groundsmith.act({json.dumps([name, *args])[1:-1]})"))
        return answer if isinstance(answer, dict) else {}

    async def accessible_name(self, number: int) -> str:
        """What the browser's accessibility tree calls a node of the last walk; empty if it has no name."""
        handle = await self._handle(number)
        if handle is None:
            return ""
        tree = await self._send(
            "Accessibility.getPartialAXTree", {"objectId": handle, "fetchRelatives": False}
        )
        return str(tree["nodes"][0].get("name", {}).get("value", "")).strip() if tree["nodes"] else ""

    async def inside(self, number: int) -> Pane | None:
        """The pane of a frame that is a node of the last walk; None where there is no document."""
        handle = await self._handle(number)
        if handle is None:
            return None
        found = await self._send("DOM.describeNode", {"objectId": handle})
        frame = found["node"].get("frameId")
        if frame is None:
            return None
        if frame not in self._inner:
            self._inner[frame] = Pane(self._send, frame)
        return self._inner[frame]

    async def _handle(self, number: int) -> str | None:
        found = await self._send(
            "Runtime.evaluate", {"expression": f"groundsmith.node({number})", "contextId": self._world}
        )
        handle: str | None = found["result"].get("objectId")
        return handle

    async def _evaluate(self, expression: str) -> dict[str, Any]:
        """Evaluate in the isolated world of the present document, where our script is put first."""
        if self._world is None:
            made = await self._send("Page.createIsolatedWorld", {"frameId": self._frame, "worldName": _WORLD})
            self._world = int(made["executionContextId"])
            expression = f"{reader()}\n{expression}"
        wanted = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        try:
            return await self._send("Runtime.evaluate", {**wanted, "contextId": self._world})
        except DocumentGone:
            self._world = None
            raise


def value_of(answer: dict[str, Any]) -> str:
    """The string that an evaluation yielded.

    Raises:
        DriverError: the page's script failed.
    """
    if "exceptionDetails" in answer:
        details = answer["exceptionDetails"]
        said = str(details.get("exception", {}).get("description") or details.get("text", ""))
        raise DriverError("crashed", f"The page could not be read: {said.splitlines()[0]}")
    return str(answer["result"].get("value", ""))


@cache
def script(name: str) -> str:
    """The text of one of our scripts."""
    return files("crawlers.web").joinpath("page", f"{name}.js").read_text(encoding="utf-8")


@cache
def reader() -> str:
    """The scripts of the isolated world, each after those that it builds on."""
    return "\n".join(map(script, _READER))

"""A Tab is one window of a session, spoken to over one DevTools connection.

``page/init.js`` is in the page's own world; what reads the page and acts on it is in its panes. While a
native dialog is open the page does not answer; every call then ends with DialogOpen at once.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import Awaitable, Collection
from typing import Any, Final, TypeVar

from playwright.async_api import CDPSession, Error, Page, ViewportSize
from playwright.async_api import Dialog as Asked

from crawlers.driver import DriverError
from crawlers.web.pane import DocumentGone, Pane, value_of
from crawlers.web.routes import origin_of

Result = TypeVar("Result")

SIZE: Final[ViewportSize] = {"width": 1280, "height": 800}
"""Of every window, in CSS pixels."""
CALL_S = 10.0
"""Seconds after which a page that does not answer is given up."""
_INIT = 'window[Symbol.for("groundsmith")]'
"""What ``init.js`` has left in the page."""
_TURN = 'Symbol.for("groundsmith-turn")'
"""Where ``init.js`` looks for the number of its document."""
PAUSE_S = 0.01
QUIET_MS = 40
"""A page that moved is stable after this long without moving."""
REST_S = 0.5
"""Longest wait between two pictures of one page."""
SHOTS = 3
"""Pictures taken of a page that keeps moving."""
LOOKS, ALIKE, LOOK_S = 12, 3, 0.1
"""What the browser draws over a page has come to rest when so many pictures in a row, so many seconds apart,
are like the one before."""
_CRASHED = "The browser window has crashed; begin a new session."


class DialogOpen(Exception):  # noqa: N818 - it is news, not a fault
    """A native dialog stands in front of the page."""


class Tab:
    """One window. Lives on the browser's loop."""

    def __init__(self, page: Page, cdp: CDPSession, frame: str, origins: Collection[str]) -> None:
        """Use ``Tab.of``."""
        self.page = page
        self.cdp = cdp
        self.asked: Asked | None = None
        """The dialog that waits for an answer."""
        self.crashed = False
        self.pane = Pane(self.send, frame)
        """The page's own documents."""
        self._origins = origins
        self._documents = 0
        """Asked for since the session began."""
        self._numbered = ""
        """Name of the script that tells the documents their number."""
        self._alarm = asyncio.Event()
        self._left: set[asyncio.Future[Any]] = set()
        page.on("dialog", self._on_dialog)
        page.on("crash", self._on_crash)
        cdp.on("Fetch.requestPaused", self._on_document)

    @classmethod
    async def of(cls, page: Page, origins: Collection[str]) -> Tab:
        """Take over a window. One that was asked for in a size of its own gets that of the others, which
        those after it would be given, too.
        """
        if page.viewport_size != SIZE:
            await page.set_viewport_size(SIZE)
        cdp = await page.context.new_cdp_session(page)
        tree = await cdp.send("Page.getFrameTree")
        tab = cls(page, cdp, tree["frameTree"]["frame"]["id"], origins)
        await cdp.send("Page.enable")  # else no script is run in new documents
        # A page that may not be opened must not replace the present one with an error page.
        await cdp.send("Fetch.enable", {"patterns": [{"urlPattern": "*", "resourceType": "Document"}]})
        return tab

    async def until(self, work: Awaitable[Result], seconds: float = CALL_S) -> Result:
        """Wait for work on the page, but not while a dialog holds it up.

        Raises:
            DialogOpen: a dialog came up (the work goes on once it is answered).
            DriverError: ``timeout`` or ``crashed``.
        """
        task = asyncio.ensure_future(work)
        alarm = asyncio.ensure_future(self._alarm.wait())
        await asyncio.wait({task, alarm}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        alarm.cancel()
        if task.done():
            try:
                return task.result()
            except Error as error:
                raise self._fault(error) from error
        self._leave(task)
        if self.crashed:
            raise DriverError("crashed", _CRASHED)
        if self.asked is not None:
            raise DialogOpen
        raise DriverError("timeout", "The page does not answer; it may be caught in an endless loop.")

    async def send(self, method: str, wanted: dict[str, Any], seconds: float = CALL_S) -> dict[str, Any]:
        """A DevTools command.

        Raises:
            DialogOpen: as ``until``.
            DriverError: as ``until``.
            DocumentGone: the document was replaced meanwhile.
        """
        return dict(await self.until(self.cdp.send(method, wanted), seconds))

    async def call(self, expression: str, *, seconds: float = CALL_S) -> str:
        """Evaluate an expression that yields a string (or a promise of one) in the page's own world.

        Raises:
            DialogOpen, DriverError, DocumentGone: as ``send``.
        """
        wanted = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        return value_of(await self.send("Runtime.evaluate", wanted, seconds))

    async def rest(self, *, quiet_ms: int, cap_s: float) -> dict[str, Any]:
        """Wait until the page itself has stood still for ``quiet_ms``, at least for one painted frame and at
        most for ``cap_s``; what it has to report then (empty where our script does not run).

        Raises:
            DialogOpen, DriverError, DocumentGone: as ``call``.
        """
        ask = f'{_INIT}?.settle({quiet_ms}, {round(cap_s * 1000)}) ?? "{{}}"'
        end = asyncio.get_running_loop().time() + cap_s
        report = json.loads(await self.call(ask, seconds=cap_s + CALL_S))
        if not isinstance(report, dict):
            return {}
        while report.get("foreign") and report["calm"] and await self._frames_move(quiet_ms):
            report["calm"] = asyncio.get_running_loop().time() < end
            await asyncio.sleep(PAUSE_S)
        return report

    async def screenshot(self, scale: float, trace: str = "") -> bytes:
        """The viewport as PNG, ``scale`` image pixels per CSS pixel. One during which something moved is
        taken again: what was about to be drawn may be missing in it. ``trace`` is what the page called its
        look when it had settled.
        """
        before = trace or await self._stirs()
        for _ in range(SHOTS):
            png = await self._shot(scale)
            if await (self.trace() if trace else self._stirs()) == before:
                return await self._at_rest(png, scale) if before.endswith("true") else png
            trace = ""
            await self.rest(quiet_ms=QUIET_MS, cap_s=REST_S)
            before = await self._stirs()
        return png

    async def _at_rest(self, png: bytes, scale: float) -> bytes:
        """The picture once it stays the same: of what the browser draws over the page, nothing else tells."""
        alike = 0
        for _ in range(LOOKS):
            await asyncio.sleep(LOOK_S)
            last, png = png, await self._shot(scale)
            alike = alike + 1 if png == last else 0
            if alike == ALIKE:
                break
        return png

    async def trace(self) -> str:
        """What the page calls its present look: the same text as long as nothing in it has changed, and empty
        where it cannot tell.

        Raises:
            DialogOpen, DriverError, DocumentGone: as ``call``.
        """
        return await self.call(f'{_INIT}?.trace() ?? ""')

    async def _stirs(self) -> str:
        return await self.call(f"((it) => `${{it?.stirs()}} ${{it?.grown()}}`)({_INIT})")

    async def _shot(self, scale: float) -> bytes:
        if scale != 1:  # this connection does not know of the emulated density
            return await self.until(self.page.screenshot(caret="initial"))
        shot = await self.until(
            self.cdp.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        )
        return base64.b64decode(shot["data"])

    async def answer(self, *, accept: bool, text: str) -> None:
        """Answer the dialog that is open."""
        asked, self.asked = self.asked, None
        self._alarm.clear()
        if asked is not None:
            await (asked.accept(text) if accept else asked.dismiss())

    async def back(self) -> None:
        """One step back in the window's history.

        Raises:
            DriverError: ``blocked``: there is nothing to go back to.
        """
        history = await self.until(self.cdp.send("Page.getNavigationHistory"))
        place, entries = int(history["currentIndex"]), history["entries"]
        if place == 0 or entries[place - 1]["url"] == "about:blank":
            raise DriverError("blocked", "There is nothing to go back to.")
        step = {"entryId": entries[place - 1]["id"]}
        await self.until(self.cdp.send("Page.navigateToHistoryEntry", step))

    async def park(self) -> None:
        """Move the pointer out of the page, or what lies under it would light up at some later moment."""
        away = {"type": "mouseMoved", "x": -1, "y": -1}
        await self.until(self.cdp.send("Input.dispatchMouseEvent", away))

    def begin(self) -> None:
        """A new session, which has asked for no document yet."""
        self._documents = 0

    async def close(self) -> None:
        """Close the window, whatever state it is in."""
        self.forget()
        with contextlib.suppress(Exception):
            await self.page.close()

    def forget(self) -> None:
        """Give up all calls that are still under way."""
        for task in tuple(self._left):
            task.cancel()

    async def _frames_move(self, quiet_ms: int) -> bool:
        """Whether anything in a frame has moved in the last ``quiet_ms``."""
        ask = f"(mine => Boolean(mine && (mine.halt() || mine.waits({quiet_ms}))))({_INIT})"
        for frame in self.page.frames[1:]:
            with contextlib.suppress(DocumentGone):  # it has left the page
                if await self.until(frame.evaluate(ask)):
                    return True
        return False

    def _fault(self, error: Exception) -> Exception:
        said = str(error)
        if self.crashed or "crash" in said:
            return DriverError("crashed", _CRASHED)
        return DocumentGone(said)

    def _leave(self, task: asyncio.Future[Any]) -> None:
        """Let work go on unwatched; its end, good or bad, is nobody's concern."""
        self._left.add(task)

        def forget(done: asyncio.Future[Any]) -> None:
            self._left.discard(done)
            if not done.cancelled():
                done.exception()

        task.add_done_callback(forget)

    def _on_dialog(self, asked: Asked) -> None:
        self.asked = asked
        self._alarm.set()

    def _on_crash(self, _: object) -> None:
        self.crashed = True
        self._alarm.set()

    def _on_document(self, event: dict[str, Any]) -> None:
        url = str(event["request"]["url"])
        inside = not url.startswith("http") or origin_of(url) in self._origins
        verdict = "Fetch.continueRequest" if inside else "Fetch.failRequest"
        reason = {} if inside else {"errorReason": "Aborted"}
        if inside:
            self._leave(asyncio.ensure_future(self._number()))  # it is there before the document is
        self._leave(
            asyncio.ensure_future(self.cdp.send(verdict, {"requestId": event["requestId"], **reason}))
        )

    async def _number(self) -> None:
        """Tell the document that comes next which one of the session it is: chance depends on it."""
        self._documents += 1
        source = f"window[{_TURN}] = {self._documents}"
        added = await self.cdp.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        before, self._numbered = self._numbered, added["identifier"]
        if before:
            await self.cdp.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": before})

"""The Recorder listens to a session: requests, downloads, new and closed windows, refused origins."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Collection
from pathlib import Path

from playwright.async_api import BrowserContext, Error, Page, Request, Response
from playwright.async_api import Download as Handed

from crawlers.web.habits import Habits
from crawlers.web.patience import Patience
from crawlers.web.routes import address_of, origin_of, route_of
from crawlers.web.traffic import Exchange
from schemas.effect import SAFE_METHODS, Download

START_S = 0.5
"""Longest wait for a request that a link is likely to make."""
SENT_S = 2.0
"""Longest wait for one that sends a file that was chosen: many a page looks at it first."""
FILE_S = 2.0
"""Longest wait for a file that a document's request turned out to be."""
DOCUMENTS = 50
"""Documents remembered for the status of the windows that show them."""
_OUTSIDE = ("http:", "https:", "ws:", "wss:")


class Recorder:
    """What a session's pages did, since the last ``begin``. Lives on the browser's loop."""

    def __init__(
        self, context: BrowserContext, origins: Collection[str], opened: Callable[[Page], None]
    ) -> None:
        """Listen to all pages of the context; ``opened`` is told of every new one."""
        self._origins = origins
        self._opened = opened
        self._requests: list[Request] = []
        self._habitual: set[Request] = set()
        self._status: dict[Request, int] = {}
        self.patience = Patience()
        self.habits = Habits()
        self._handed: list[Handed] = []
        self._aborted = 0
        self._blocked: dict[str, None] = {}
        self.started = 0
        """Requests started so far: compare two readings to see whether anything happened between."""
        self._documents: list[Request] = []
        context.on("request", self._on_request)
        context.on("response", self._on_response)
        context.on("requestfinished", self.patience.ended)
        context.on("requestfailed", self._on_failure)
        context.on("page", self._on_page)

    def begin(self) -> None:
        """Forget what was recorded: a new action begins."""
        self._requests = []
        self._habitual = set()
        self.patience.begin()
        kept = (*self.patience.open, *self._documents)
        self._status = {request: self._status[request] for request in kept if request in self._status}
        self._handed = []
        self._aborted = 0
        self._blocked = {}

    def forget(self) -> None:
        """Forget everything: a new session begins."""
        self.patience.forget()
        self.habits.forget()
        self._documents.clear()
        self.begin()

    @property
    def turned(self) -> bool:
        """Whether a new document was asked for."""
        return any(request.is_navigation_request() for request in self._requests)

    async def start(self) -> bool:
        """Wait a moment for a request, or a file (nobody hears of the request for one that a link hands out),
        if there was none since ``begin``; whether it has just come.
        """
        if self._requests or self._blocked or self._handed:
            return False
        return await self.patience.until(lambda: bool(self._requests or self._handed), START_S)

    async def send(self) -> bool:
        """Wait for the request that sends a file that was chosen, if there was none; whether it came."""
        return not self._sends() and await self.patience.until(self._sends, SENT_S)

    def _sends(self) -> bool:
        return any(request.method not in SAFE_METHODS for request in self._requests)

    def status(self, page: Page) -> int:
        """HTTP status of the document in a window; 0 where it came from no server."""
        for request in reversed(self._documents):
            with contextlib.suppress(Error):  # its window never came to be
                if request.frame.page is page and request.frame.parent_frame is None:
                    return self._status[request]
        return 0

    def exchanges(self) -> tuple[Exchange, ...]:
        """Requests and answers so far, in the order of their start."""
        return tuple(self._exchange(request) for request in self._requests)

    def blocked(self) -> tuple[str, ...]:
        """Origins that were asked for and refused, first asked first."""
        return tuple(self._blocked)

    async def downloads(self, seconds: float) -> tuple[Download, ...]:
        """The files that were handed out; a file that does not arrive in time has no size and no hash."""
        await self._files()
        found = []
        for handed in self._handed:
            try:
                path = await asyncio.wait_for(handed.path(), seconds)
                data = await asyncio.to_thread(Path(path).read_bytes)
            except Exception:  # noqa: BLE001 - cancelled, refused, slow: the name is what is known
                data = b""
            digest = hashlib.sha256(data).hexdigest() if data else ""
            found.append(self._download(handed, digest, len(data)))
        return tuple(found)

    def _download(self, handed: Handed, digest: str, size: int) -> Download:
        address = self._address(handed.url)
        return Download(
            name=handed.suggested_filename,
            route=route_of(address),
            path=address.partition("?")[0],
            sha256=digest,
            size=size,
        )

    async def _files(self) -> None:
        """Wait for the files that documents turned out to be: they are announced after the request's end."""
        await self.patience.until(lambda: len(self._handed) >= self._aborted, FILE_S)

    def _address(self, url: str) -> str:
        """Inside the App without its origin; what a page made itself has no address."""
        if not url.startswith(_OUTSIDE):
            return ""
        origin = origin_of(url)
        return address_of(url, origin) if origin in self._origins else url

    def _exchange(self, request: Request) -> Exchange:
        return Exchange(
            method=request.method,
            url=request.url,
            kind=request.resource_type,
            status=self._status.get(request, 0),
            content_type=request.headers.get("content-type", ""),
            body=request.post_data_buffer or b"",
            document=request.is_navigation_request(),
            unprompted=request in self._habitual,
        )

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith(_OUTSIDE):
            return
        self.started += 1
        if origin_of(request.url) not in self._origins:
            self._blocked[origin_of(request.url)] = None
            return
        self._requests.append(request)
        if self.habits.is_one(request):
            self._habitual.add(request)
        self.patience.started(request)

    def _on_response(self, response: Response) -> None:
        request = response.request
        self._status[request] = response.status
        self.patience.answered(request)
        if request.is_navigation_request():
            self._documents = [*self._documents[-DOCUMENTS:], request]

    def _on_failure(self, request: Request) -> None:
        # What the server answered and the window did not take is a file.
        self._aborted += request.is_navigation_request() and 200 <= self._status.get(request, 0) < 300
        self.patience.ended(request)

    def _on_page(self, page: Page) -> None:
        self.habits.opened(page)
        page.on("download", self._on_download)
        page.on("dialog", lambda _: self.patience.wake())
        page.on("websocket", lambda socket: self._refuse(socket.url))
        self._opened(page)

    def _on_download(self, handed: Handed) -> None:
        self._handed.append(handed)
        self.patience.wake()

    def _refuse(self, url: str) -> None:
        host = origin_of(url).replace("ws", "http", 1)
        if host not in self._origins:
            self._blocked[origin_of(url)] = None

"""The Recorder listens to a session: requests, downloads, new and closed windows, refused origins."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path

from playwright.async_api import BrowserContext, Error, Page, Request, Response
from playwright.async_api import Download as Handed

from crawlers.web.routes import address_of, origin_of, route_of
from crawlers.web.traffic import Exchange
from schemas.effect import Download

START_S = 0.5
"""Longest wait for a request that a link is likely to make."""
FILE_S = 2.0
"""Longest wait for a file that a document's request turned out to be."""
DOCUMENTS = 50
"""Documents remembered for the status of the windows that show them."""
_ENDLESS = frozenset({"websocket", "eventsource", "ping"})
"""Resource types that are open for as long as the page likes."""
_OUTSIDE = ("http:", "https:", "ws:", "wss:")


class Recorder:
    """What a session's pages did, since the last ``begin``. Lives on the browser's loop."""

    def __init__(self, context: BrowserContext, origin: str, opened: Callable[[Page], None]) -> None:
        """Listen to all pages of the context; ``opened`` is told of every new one."""
        self._origin = origin
        self._opened = opened
        self._requests: list[Request] = []
        self._status: dict[Request, int] = {}
        self._open: set[Request] = set()
        self._hanging: set[str] = set()
        self._handed: list[Handed] = []
        self._aborted = 0
        self._blocked: dict[str, None] = {}
        self._moved = asyncio.Event()
        self.started = 0
        """Requests started so far: compare two readings to see whether anything happened between."""
        self._documents: list[Request] = []
        context.on("request", self._on_request)
        context.on("response", self._on_response)
        context.on("requestfinished", self._on_end)
        context.on("requestfailed", self._on_failure)
        context.on("page", self._on_page)

    def begin(self) -> None:
        """Forget what was recorded: a new action begins."""
        self._requests = []
        kept = (*self._open, *self._documents)
        self._status = {request: self._status[request] for request in kept if request in self._status}
        self._handed = []
        self._aborted = 0
        self._blocked = {}

    def forget(self) -> None:
        """Forget everything: a new session begins."""
        self._open.clear()
        self._hanging.clear()
        self._documents.clear()
        self.begin()

    @property
    def busy(self) -> bool:
        """Whether an answer is being waited for that is likely to come soon."""
        return any(_route(request) not in self._hanging for request in self._open)

    @property
    def loading(self) -> bool:
        """Whether a document is on its way."""
        return any(request.is_navigation_request() for request in self._open)

    @property
    def turned(self) -> bool:
        """Whether a new document was asked for."""
        return any(request.is_navigation_request() for request in self._requests)

    async def idle(self, seconds: float) -> bool:
        """Wait until no answer is outstanding; False when time is up. What hung then is not waited for
        again: it is a poll that the server answers when it likes.
        """
        deadline = asyncio.get_running_loop().time() + seconds
        while self.busy:
            left = deadline - asyncio.get_running_loop().time()
            self._moved.clear()
            try:
                await asyncio.wait_for(self._moved.wait(), max(left, 0.0))
            except TimeoutError:
                self._hanging |= {
                    _route(request) for request in self._open if not request.is_navigation_request()
                }
                return not self.busy
        return True

    async def start(self) -> bool:
        """Wait a moment for a request, if there was none since ``begin``; whether it has just come."""
        if self._requests or self._blocked:
            return False
        self._moved.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._moved.wait(), START_S)
        return bool(self._requests)

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
        address = address_of(handed.url, self._origin)
        return Download(
            name=handed.suggested_filename,
            route=route_of(address),
            path=address.partition("?")[0],
            sha256=digest,
            size=size,
        )

    async def _files(self) -> None:
        """Wait for the files that documents turned out to be: they are announced after the request's end."""
        clock = asyncio.get_running_loop().time
        end = clock() + FILE_S
        while len(self._handed) < self._aborted and clock() < end:
            self._moved.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), end - clock())

    def _exchange(self, request: Request) -> Exchange:
        return Exchange(
            method=request.method,
            url=request.url,
            kind=request.resource_type,
            status=self._status.get(request, 0),
            content_type=request.headers.get("content-type", ""),
            body=request.post_data_buffer or b"",
            document=request.is_navigation_request(),
        )

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith(_OUTSIDE):
            return
        self.started += 1
        if origin_of(request.url) != self._origin:
            self._blocked[origin_of(request.url)] = None
            return
        self._requests.append(request)
        self._moved.set()
        if request.resource_type not in _ENDLESS:
            self._open.add(request)

    def _on_response(self, response: Response) -> None:
        request = response.request
        self._status[request] = response.status
        if request.is_navigation_request():
            self._documents = [*self._documents[-DOCUMENTS:], request]

    def _on_end(self, request: Request) -> None:
        self._open.discard(request)
        self._moved.set()

    def _on_failure(self, request: Request) -> None:
        # What the server answered and the window did not take is a file.
        self._aborted += request.is_navigation_request() and 200 <= self._status.get(request, 0) < 300
        self._on_end(request)

    def _on_page(self, page: Page) -> None:
        page.on("download", self._on_download)
        page.on("websocket", lambda socket: self._refuse(socket.url))
        self._opened(page)

    def _on_download(self, handed: Handed) -> None:
        self._handed.append(handed)
        self._moved.set()

    def _refuse(self, url: str) -> None:
        host = origin_of(url).replace("ws", "http", 1)
        if host != self._origin:
            self._blocked[origin_of(url)] = None


def _route(request: Request) -> str:
    return f"{request.method} {route_of(request.url)}"

"""Patience: which of a page's requests are worth waiting for, and for how long.

Most answers come soon and change the screen. Some never come: a poll that the server answers when it likes,
a stream, a body that the page does not read. What hangs is data at first (the screen may yet change, and says
so); it is taken for a poll once it has hung twice, or when the page asks again by itself as soon as it is
answered.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable

from playwright.async_api import Request

from crawlers.web.routes import route_of

BODY_S = 0.2
"""Longest wait for the rest of an answer that has begun: nobody says when a page leaves it unread."""
_TWICE = 2
_ENDLESS = frozenset({"websocket", "eventsource", "ping"})
"""Resource types that are open for as long as the page likes."""


class Patience:
    """Keeps the requests that are open. Lives on the browser's loop."""

    def __init__(self) -> None:
        """Nothing is asked yet."""
        self._open: dict[Request, float | None] = {}
        """When the answer began; None where it has not."""
        self._given_up: set[Request] = set()
        self._vain: Counter[str] = Counter()
        self._late: set[str] = set()
        self._polls: set[str] = set()
        self._moved = asyncio.Event()
        self._last = 0.0
        """When a request last left, or an answer began or ended."""

    def begin(self) -> None:
        """A new action: what is asked from now on may be its doing."""
        self._late.clear()

    def forget(self) -> None:
        """A new session; what was learned of the App's polls is kept."""
        self._open.clear()
        self._given_up.clear()
        self._late.clear()

    @property
    def open(self) -> tuple[Request, ...]:
        """What was asked and has not ended."""
        return tuple(self._open)

    @property
    def busy(self) -> bool:
        """Whether an answer is being waited for that is likely to come soon."""
        return any(map(self._counts, self._open))

    @property
    def silent_s(self) -> float:
        """Seconds for which nothing was asked or answered."""
        return now() - self._last

    @property
    def loading(self) -> bool:
        """Whether a document is on its way."""
        return any(request.is_navigation_request() for request in self._open)

    @property
    def unsure(self) -> bool:
        """Whether an answer was given up that may still change the screen."""
        return any(not self._is_poll(request) for request in self._given_up)

    def started(self, request: Request) -> None:
        """A request leaves."""
        route = _route(request)
        if route in self._late:
            self._polls.add(route)
        if request.resource_type not in _ENDLESS:
            self._open[request] = None
        self._last = now()
        self.wake()

    def answered(self, request: Request) -> None:
        """Its answer begins."""
        self._last = now()
        if request in self._open:
            self._open[request] = now()
        if request in self._given_up:
            self._given_up.discard(request)
            self._vain[_route(request)] = 0
            self._late.add(_route(request))

    def ended(self, request: Request) -> None:
        """It is over, well or not."""
        self._open.pop(request, None)
        self._given_up.discard(request)
        self._last = now()
        self.wake()

    def wake(self) -> None:
        """Something happened that somebody may wait for."""
        self._moved.set()

    async def news(self, seconds: float) -> bool:
        """Wait until something happens; False when time is up."""
        self._moved.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._moved.wait(), max(seconds, 0.0))
            return True
        return False

    async def until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is so; whether it is when time is up."""
        end = now() + seconds
        while not done() and now() < end:
            await self.news(end - now())
        return done()

    async def idle(self, seconds: float, stopped: Callable[[], bool]) -> None:
        """Wait until no answer is outstanding, or nothing can come of waiting. What is outstanding when time
        is up is not waited for again.
        """
        end = now() + seconds
        while self.busy and now() < end:
            await self.news(min(end - now(), BODY_S))
            if stopped():
                return
        for request in self._open:
            if self._counts(request) and not request.is_navigation_request():
                self._given_up.add(request)
                self._vain[_route(request)] += 1

    def _counts(self, request: Request) -> bool:
        begun = self._open[request]
        unread = begun is not None and now() > begun + BODY_S and not request.is_navigation_request()
        return not (unread or request in self._given_up or self._is_poll(request))

    def _is_poll(self, request: Request) -> bool:
        route = _route(request)
        return route in self._polls or self._vain[route] >= _TWICE


def now() -> float:
    """Seconds on the loop's clock."""
    return asyncio.get_running_loop().time()


def _route(request: Request) -> str:
    return f"{request.method} {route_of(request.url)}"

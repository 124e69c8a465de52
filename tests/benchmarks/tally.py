"""Counting what a crawl through our own Driver does, without the crawl knowing: a Host that hands out
Drivers which count, and end the crawl when its page loads are used up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from crawlers.driver import Driver
from crawlers.host import Host
from crawlers.walker import OutOfBudget
from schemas.action import Action, Open
from schemas.app import App
from schemas.effect import SAFE_METHODS, Evidence, Request
from schemas.screen import Quality, State

GOOD = frozenset({Quality.OK, Quality.PARTIAL, Quality.UNSETTLED})


@dataclass
class Tally:
    """What was seen so far."""

    limit: int
    """Page loads after which no Action is performed."""
    loads: int = 0
    """Pages loaded: documents that were answered with a page, not redirects and not files."""
    screens: int = 0
    """Entries of sessions and Actions, after each of which the screen is read."""
    structures: set[str] = field(default_factory=set)
    """``State.structure`` of every screen that is no error page."""
    writes: set[str] = field(default_factory=set)
    """``METHOD /template`` of writes that the App accepted."""
    requests: set[str] = field(default_factory=set)
    """``METHOD /path`` of everything asked for."""
    loaded: Callable[[int], None] = lambda _: None
    """Told the count whenever pages were loaded."""

    @property
    def full(self) -> bool:
        """Whether the page loads are used up."""
        return self.loads >= self.limit

    def acted(self, evidence: Evidence) -> None:
        """Take in what an Action set off."""
        self.screens += 1
        pages = sum(each.document and not 300 <= each.status < 400 for each in evidence.requests)
        self._count(max(0, pages - len(evidence.downloads)))
        self.writes.update(each.signature for each in evidence.requests if _accepted(each))
        self.requests.update(f"{each.method} {each.path}" for each in evidence.requests)

    def entered(self) -> None:
        """Take in that a session loaded the entry."""
        self.screens += 1
        self._count(1)

    def saw(self, state: State) -> None:
        """Take in a screen."""
        if good(state):
            self.structures.add(state.structure)

    def _count(self, pages: int) -> None:
        if pages:
            self.loads += pages
            self.loaded(self.loads)


def _accepted(request: Request) -> bool:
    """Whether it was a write by what is counted for rivals: its method and status, whoever prompted it."""
    return request.method not in SAFE_METHODS and 0 < request.status < 400


def good(state: State) -> bool:
    """Whether a State is a screen of the App and no error page."""
    return state.quality in GOOD and state.status < 400 and state.dialog is None


class CountingDriver:
    """A Driver (see ``crawlers.driver``) that counts; ``full`` ends a crawl as a used-up budget does."""

    def __init__(self, inner: Driver, tally: Tally) -> None:
        """Count what ``inner``, a fresh session, does."""
        self._inner = inner
        self._tally = tally
        self._entered = False

    def observe(self) -> State:
        """As the inner Driver."""
        self._enter()
        state = self._inner.observe()
        self._tally.saw(state)
        return state

    def perform(self, action: Action) -> Evidence:
        """As the inner Driver.

        Raises:
            OutOfBudget: the page loads are used up.
        """
        if self._tally.full:
            raise OutOfBudget
        if isinstance(action, Open):
            self._entered = True
        else:
            self._enter()
        evidence = self._inner.perform(action)
        self._tally.acted(evidence)
        return evidence

    def screenshot(self) -> bytes:
        """As the inner Driver."""
        return self._inner.screenshot()

    def close(self) -> None:
        """As the inner Driver."""
        self._inner.close()

    def _enter(self) -> None:
        """The first thing asked of a session loads the entry, unless another address is opened."""
        if not self._entered:
            self._tally.entered()
        self._entered = True


class CountingHost:
    """A started Host (see ``crawlers.host``) whose Drivers count."""

    def __init__(self, inner: Host, tally: Tally) -> None:
        """Count on behalf of ``inner``."""
        self._inner = inner
        self._tally = tally

    @property
    def app(self) -> App:
        """The recipe."""
        return self._inner.app

    @property
    def lang(self) -> str:
        """BCP-47 tag."""
        return self._inner.lang

    def start(self) -> None:
        """As the inner Host."""
        self._inner.start()

    def restore(self) -> None:
        """As the inner Host."""
        self._inner.restore()

    def driver(self) -> Driver:
        """A session that counts.

        Raises:
            OutOfBudget: the page loads are used up.
        """
        if self._tally.full:
            raise OutOfBudget
        return CountingDriver(self._inner.driver(), self._tally)

    def stop(self) -> None:
        """As the inner Host."""
        self._inner.stop()

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop."""
        self.stop()

"""One App, every crawler, the same number of page loads, side by side."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urljoin

from monkey import monkey
from peers import PEERS, PeerError
from playwright.sync_api import sync_playwright
from tally import CountingHost, Tally, good
from versus.job import Job, Trip

from crawlers.driver import DriverError
from crawlers.explore import Budget, explore
from crawlers.host import HostError
from crawlers.web import browser
from crawlers.web.host import WebHost
from crawlers.web.kind import Kind
from crawlers.web.lines import Gauge, Reading, gained
from crawlers.web.routes import address_of, route_of
from crawlers.web.tab import SIZE
from crawlers.words import LOGOUT
from pipeline.corpus.images import ImageStore
from schemas.action import Open
from schemas.app import App
from schemas.effect import SAFE_METHODS

FEW = 10
"""Page loads below which nothing is said about speed: the first ones are slow."""
ACTIONS_PER_LOAD = 20
SEED = 0


@dataclass
class Score:
    """What one crawler did on one App."""

    loads: int = 0
    screens: int = 0
    """Screens that were looked at: after every page load of a link follower, after every Action of ours."""
    seconds: float = 0.0
    states: int = 0
    """Different ``State.structure`` among the screens that it reached."""
    writes: tuple[str, ...] = ()
    """``METHOD /template`` of the writes that the App accepted."""
    lines: int | None = None
    """Lines of the App's own code that ran beyond those that starting it runs; None where unknown."""
    note: str = ""
    pages_s: float | None = field(init=False, default=None)
    screens_s: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Work out the speeds, where there is enough to say."""
        if self.loads >= FEW and self.seconds:
            self.pages_s = round(self.loads / self.seconds, 3)
            self.screens_s = round(self.screens / self.seconds, 3)


Crawl = Callable[[WebHost], Score]


def contest(app: App, loads: int) -> dict[str, Any]:
    """Every crawler's score on an App in its first language; the App is restored before each."""
    scores: dict[str, Score] = {}
    with WebHost(app, app.languages[0]) as host:
        entrant = Entrants(host, loads)
        for name, crawl in entrant.all():
            say(f"{app.name}: {name}")
            scores[name] = attempt(crawl, host)
            say(f"{app.name}: {name}: {brief(scores[name])}")
        statements = _lines(app, loads, scores)
    return {"crawlers": {name: asdict(score) for name, score in scores.items()}, "statements": statements}


def _lines(app: App, loads: int, scores: dict[str, Score]) -> int | None:
    """Crawl once more under coverage, which slows the App and so must not be part of the race."""
    with TemporaryDirectory() as folder:
        gauge = Gauge.of(app, Path(folder))
        if gauge is None:
            return None
        idle = _run(gauge, lambda _: None)
        statements = idle.statements
        for name, score in scores.items():

            def crawl(host: WebHost, name: str = name) -> None:
                attempt(dict(Entrants(host, loads, revisit=False).all())[name], host)

            say(f"{app.name}: {name}, lines")
            reading = _run(gauge, crawl)
            score.lines = gained(reading.lines, idle.lines)
            statements = max(statements, reading.statements)
        return statements


def _run(gauge: Gauge, crawl: Callable[[WebHost], object]) -> Reading:
    """What ran while the App was started, crawled and stopped."""
    gauge.forget()
    with WebHost(gauge.app, gauge.app.languages[0], gauge.variables) as host:
        host.restore()
        crawl(host)
    return gauge.read()


class Entrants:
    """The crawlers, ready to be let loose on one started Host."""

    def __init__(self, host: WebHost, loads: int, *, revisit: bool = True) -> None:
        """Give everybody so many page loads; ``revisit`` counts what the rivals' pages are."""
        self._host = host
        self._loads = loads
        self._revisit = revisit
        self._structures: dict[str, str] = {}
        """By address, of the pages that rivals visited."""

    def all(self) -> Iterator[tuple[str, Crawl]]:
        """By name, ours first."""
        yield "ours", self._ours
        for peer in PEERS:
            yield peer.name, lambda host, peer=peer: self._trip(host, peer.run(self._job(host)))
        yield "monkey", self._monkey

    def _ours(self, host: WebHost) -> Score:
        tally = Tally(self._loads)
        budget = Budget(actions=self._loads * ACTIONS_PER_LOAD)
        self._warm(host)
        with TemporaryDirectory() as images:
            begun = time.monotonic()
            explore(CountingHost(host, tally), budget=budget, seed=SEED, images=ImageStore(images))
        return _scored(tally, time.monotonic() - begun)

    def _monkey(self, host: WebHost) -> Score:
        tally = Tally(self._loads)
        exclude = excluded(host.app)
        self._warm(host)
        begun = time.monotonic()
        monkey(CountingHost(host, tally), self._loads, exclude, SEED)
        return _scored(tally, time.monotonic() - begun)

    def _warm(self, host: WebHost) -> str:
        """Have a browser, as the rivals have when their clock starts; the URL of the entry."""
        driver = host.driver()
        try:
            return urljoin(f"{host.origin}/", driver.observe().address)
        finally:
            driver.close()

    def _job(self, host: WebHost) -> Job:
        context = browser_context(host)
        return Job(
            origin=host.origin,
            entry=self._warm(host),
            storage=host._storage or {},
            loads=self._loads,
            exclude=excluded(host.app),
            executable=_executable(),
            arguments=arguments(),
            context=context,
        )

    def _trip(self, host: WebHost, trip: Trip) -> Score:
        found = set(self._look(host, trip.visited)) if self._revisit else set()
        writes = set()
        for line in trip.requests:
            method, status, path = line.split(" ", 2)
            if method not in SAFE_METHODS and 0 < int(status) < 400:
                writes.add(f"{method} {route_of(path)}")
        note = f"{trip.failed} failed" if trip.failed else ""
        seen = len(trip.visited)
        return Score(seen, seen, round(trip.seconds, 2), len(found), tuple(sorted(writes)), note=note)

    def _look(self, host: WebHost, urls: Iterable[str]) -> Iterator[str]:
        """The structures that our Driver finds at these URLs, in the restored App."""
        host.restore()
        driver = host.driver()
        try:
            for url in dict.fromkeys(urls):
                address = address_of(url, host.origin)
                if address not in self._structures:
                    self._structures[address] = _structure(driver, address)
                if self._structures[address]:
                    yield self._structures[address]
        finally:
            driver.close()


def attempt(crawl: Crawl, host: WebHost) -> Score:
    """A crawler's score in the restored App; what failed is said in its note."""
    host.restore()
    try:
        return crawl(host)
    except (PeerError, HostError, DriverError) as error:
        return Score(note=str(error))


def _structure(driver: Any, address: str) -> str:
    try:
        driver.perform(Open(address=address))
        state = driver.observe()
    except DriverError:
        return ""
    return state.structure if good(state) else ""


def _scored(tally: Tally, seconds: float) -> Score:
    seen = len(tally.structures)
    return Score(tally.loads, tally.screens, round(seconds, 2), seen, tuple(sorted(tally.writes)))


def excluded(app: App) -> tuple[str, ...]:
    """What rivals are kept from: what the recipe forbids, and what ends the session."""
    words = "|".join(sorted(word for word in LOGOUT.split() if word.isascii()))
    return (*app.never, rf"(?i)(^|[/?=&_-])(log[-_]out|sign[-_]out|{words})($|[/?=&_-])")


def browser_context(host: WebHost) -> dict[str, Any]:
    """A browser context as our own Drivers have it: language, size, time zone."""
    kind = Kind(host.app, host.lang, host.origin, 1.0)
    return {
        "locale": kind.languages[0],
        "extra_http_headers": {"Accept-Language": browser._accept(kind.languages)},
        "reduced_motion": "reduce",
        "service_workers": "block",
        "timezone_id": "UTC",
        "viewport": dict(SIZE),
    }


def arguments() -> tuple[str, ...]:
    """The browser's flags: those of our own, and the way out of the machine barred. Our own contexts bar it
    one by one, which crawlee's cannot.
    """
    rooted = ("--no-sandbox",) if os.geteuid() == 0 else ()
    return (*browser._ARGS, *rooted, f"--proxy-server={browser._NOWHERE}")


def _executable() -> str:
    with sync_playwright() as playwright:
        return str(browser.executable(Path(playwright.chromium.executable_path)))


def brief(score: Score) -> str:
    """A score as one line."""
    speed = f"{score.pages_s:.2f}/s" if score.pages_s else "-"
    note = f" ({score.note})" if score.note else ""
    return (
        f"{score.loads} pages in {score.seconds:.1f} s ({speed}), {score.states} states,"
        f" {len(score.writes)} writes{note}"
    )


def say(line: str) -> None:
    """Tell whoever watches."""
    print(line, file=sys.stderr, flush=True)

# ruff: noqa: N815 - http.server names methods after those of HTTP
"""How a public site is asked, as seen by a server on loopback that writes down what it was asked."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from crawlers.driver import DriverError
from crawlers.explore import Budget, explore
from crawlers.host import HostError
from crawlers.web.gate import Gate, _belongs
from crawlers.web.manners import NAME, Manners, Refused, agent_of
from crawlers.web.site import SiteHost
from schemas.action import Open
from schemas.app import App, Locale, Platform, Site
from schemas.screen import Quality

DELAY_S = 0.2
PAGE = b"""<!doctype html><title>Club</title><link rel="stylesheet" href="/style.css"><h1>Rowing club</h1>
<a href="/news">News</a> <a href="/private/list">Members</a> <a href="/old">Old</a>
<form action="/join" method="post"><input name="name" aria-label="Name"><button>Join</button></form>
<button onclick="fetch('/vote', {method: 'POST'})">Vote</button>
<button onclick="navigator.sendBeacon('/seen', 'x')">Seen</button>"""


@dataclass
class Asked:
    """One request, as the site saw it."""

    method: str
    path: str
    agent: str
    began: float
    ended: float = 0.0
    connection: int = 0


@dataclass
class Club:
    """A small site that logs."""

    robots: str = "User-agent: *\nDisallow: /private"
    robots_status: int = 200
    robots_at: str = "/robots.txt"
    log: list[Asked] = field(default_factory=list)
    origin: str = ""
    most_at_once: int = 0
    now: int = 0

    @property
    def pages(self) -> list[Asked]:
        return [
            asked for asked in self.log if asked.path not in {"/robots.txt", "/style.css", "/favicon.ico"}
        ]


class _Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, club: Club, *args: Any) -> None:
        self.club = club
        super().__init__(*args)

    def _answer(self) -> None:
        club = self.club
        club.now += 1
        club.most_at_once = max(club.most_at_once, club.now)
        asked = Asked(
            self.command,
            self.path,
            self.headers["User-Agent"],
            time.monotonic(),
            connection=self.client_address[1],
        )
        club.log.append(asked)
        time.sleep(0.03)
        status, body, headers = 200, PAGE, {"Content-Type": "text/html"}
        if self.path == club.robots_at:
            status, body = club.robots_status, club.robots.encode()
            headers = {"Content-Type": "text/plain"}
        elif self.path == "/robots.txt":
            status, body, headers = 301, b"", {"Location": club.robots_at}
        elif self.path == "/busy":
            status, body = 429, b"later"
        elif self.path == "/old":
            status, body, headers = 301, b"", {"Location": "/news"}
        elif self.path == "/away":
            status, body, headers = 302, b"", {"Location": "http://elsewhere.example/"}
        elif self.path == "/style.css":
            body, headers = b"h1 { color: navy }", {"Content-Type": "text/css"}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        asked.ended = time.monotonic()
        club.now -= 1
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _answer

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(club: Club) -> Iterator[Club]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: _Pages(club, *args))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    club.origin = f"http://127.0.0.1:{server.server_address[1]}"
    yield club
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def club() -> Iterator[Club]:
    with serving(Club()) as club:
        yield club


def site_of(club: Club, delay_s: float = DELAY_S) -> Site:
    return Site(origin=club.origin, contact="crawler@example.org", delay_s=delay_s)


@pytest.fixture
def gate(club: Club) -> Iterator[Gate]:
    gate = Gate(site_of(club))
    yield gate
    gate.close()


def through(gate: Gate, method: str, url: str, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(gate.address.removeprefix("http://"), timeout=20)
    try:
        connection.request(method, url, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_what_is_read_comes_through_under_our_own_name(gate: Gate, club: Club) -> None:
    status, body = through(gate, "GET", f"{club.origin}/news", **{"User-Agent": "Mozilla/5.0 Chrome"})
    assert (status, "Rowing club" in body) == (200, True)
    assert through(gate, "HEAD", f"{club.origin}/news") == (200, "")
    assert [asked.path for asked in club.log] == ["/robots.txt", "/news", "/news"]
    assert {asked.agent for asked in club.log} == {agent_of(gate.site)}
    assert NAME in club.log[0].agent
    assert "+crawler@example.org" in club.log[0].agent


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_what_is_more_than_reading_is_never_asked(gate: Gate, club: Club, method: str) -> None:
    status, said = through(gate, method, f"{club.origin}/join")
    assert status == 403
    assert "more than reading" in said
    assert not club.log


def test_p25_robots_txt_is_asked_first_and_obeyed(gate: Gate, club: Club) -> None:
    status, said = through(gate, "GET", f"{club.origin}/private/list")
    assert status == 403
    assert "robots.txt keeps programs from /private/list" in said
    assert through(gate, "GET", f"{club.origin}/news")[0] == 200
    assert [asked.path for asked in club.log] == ["/robots.txt", "/news"]


@pytest.fixture
def manners(club: Club) -> Iterator[Manners]:
    manners = Manners(club.origin, site_of(club))
    yield manners
    manners.close()


@pytest.mark.parametrize("status", [403, 404, 410])
def test_who_has_no_robots_txt_allows_everything(club: Club, manners: Manners, status: int) -> None:
    club.robots_status = status
    assert manners.ask("GET", "/private/list", {}).status == 200


def test_a_robots_txt_that_has_moved_is_obeyed(club: Club, manners: Manners) -> None:
    club.robots_at = "/about/robots.txt?v=2"
    with pytest.raises(Refused, match="keeps programs from /private/list"):
        manners.ask("GET", "/private/list", {})


def test_one_of_another_origin_is_none_of_this_ones(club: Club, manners: Manners) -> None:
    club.robots_at = "http://elsewhere.example/robots.txt"
    assert manners.ask("GET", "/private/list", {}).status == 200


def test_a_site_that_asks_for_less_is_left_alone(club: Club, manners: Manners) -> None:
    assert manners.ask("GET", "/busy", {}).status == 429
    with pytest.raises(Refused, match="has asked for fewer requests"):
        manners.ask("GET", "/news", {})
    assert club.log[-1].path == "/busy"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_who_cannot_show_it_allows_nothing(club: Club, manners: Manners, status: int) -> None:
    club.robots_status = status
    with pytest.raises(Refused, match="keeps programs from /news"):
        manners.ask("GET", "/news", {})


def test_a_name_of_our_own_is_listened_to(club: Club, manners: Manners) -> None:
    club.robots = f"User-agent: *\nDisallow: /\n\nUser-agent: {NAME}\nDisallow: /old\nCrawl-delay: 4"
    assert manners.delay_s == 4
    assert manners.ask("GET", "/news", {}).status == 200
    with pytest.raises(Refused):
        manners.ask("GET", "/old", {})


def test_p25_there_is_a_pause_between_two_pages_and_one_connection(gate: Gate, club: Club) -> None:
    ask = [
        threading.Thread(target=through, args=(gate, "GET", f"{club.origin}/news?{number}"))
        for number in range(4)
    ]
    for thread in ask:
        thread.start()
    for thread in ask:
        thread.join()
    assert len(club.pages) == 4
    gaps = [later.began - sooner.ended for sooner, later in zip(club.pages, club.pages[1:], strict=False)]
    assert min(gaps) >= DELAY_S * 0.95, gaps
    assert club.most_at_once == 1
    assert len({asked.connection for asked in club.log}) == 1


def test_what_a_page_is_drawn_with_comes_without_a_pause(gate: Gate, club: Club) -> None:
    style = {"Sec-Fetch-Dest": "style"}
    through(gate, "GET", f"{club.origin}/news")
    through(gate, "GET", f"{club.origin}/style.css", **style)
    page, sheet = club.log[-2:]
    assert sheet.began - page.ended < DELAY_S


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://elsewhere.example/", "http://localhost/"])
def test_nothing_but_the_sites_own_domain_is_asked(gate: Gate, club: Club, url: str) -> None:
    status, said = through(gate, "GET", url)
    assert status == 403
    assert "is not part of 127.0.0.1" in said
    assert not club.log


def test_a_tunnel_to_elsewhere_is_refused(gate: Gate) -> None:
    assert through(gate, "CONNECT", "elsewhere.example:443")[0] == 403


@pytest.mark.parametrize(
    "origin",
    ["https://example.org", "https://www.example.org", "http://a.b.example.org", "https://example.org:443"],
)
def test_the_domain_guard_knows_what_belongs_to_a_site(origin: str) -> None:
    assert _belongs(origin, "https://www.example.org")


@pytest.mark.parametrize(
    "origin",
    [
        *("https://example.org:8443", "https://badexample.org", "https://example.org.evil.net"),
        *("ftp://example.org", "https://org", "https://127.0.0.1", "https://"),
    ],
)
def test_the_domain_guard_keeps_everything_else_out(origin: str) -> None:
    assert not _belongs(origin, "https://www.example.org")


def test_connections_that_stay_open_are_refused(gate: Gate, club: Club) -> None:
    assert through(gate, "GET", f"{club.origin}/live", Accept="text/event-stream")[0] == 403
    assert through(gate, "GET", f"{club.origin}/live", Upgrade="websocket", Connection="upgrade")[0] == 403
    assert not club.log


def test_a_site_that_gives_no_answer_says_so(club: Club) -> None:
    manners = Manners("http://127.0.0.1:9", site_of(club))
    with pytest.raises(Refused, match=r"keeps programs from /"):
        manners.ask("GET", "/", {})


def app_of(club: Club, entry: str = "/news") -> App:
    return App(
        name="club",
        title="Rowing club",
        platform=Platform.WEB,
        licence="NOASSERTION",
        site=site_of(club),
        entry=entry,
        locale=Locale(via="browser", codes={"en": "en"}),
        clock="",
    )


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path))


def host_of(club: Club, entry: str = "/news") -> SiteHost:
    app = app_of(club, entry)
    assert app.site is not None
    return SiteHost(app, app.site, "en")


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize(
    "robots,entry,complaint",
    [
        (
            "User-agent: *\nDisallow: /",
            "/news",
            "Rowing club is left alone: .*robots.txt keeps programs from /news",
        ),
        ("User-agent: *\nCrawl-delay: 60", "/news", "it wants 60 s between two pages"),
        ("", "/away", "elsewhere.example is not part of"),
    ],
)
def test_p25_a_site_that_does_not_want_it_is_left_alone(
    club: Club, robots: str, entry: str, complaint: str
) -> None:
    club.robots = robots
    with pytest.raises(HostError, match=complaint):
        host_of(club, entry).start()
    assert not [asked for asked in club.pages if asked.path != entry]


@pytest.mark.usefixtures("own_cache")
def test_a_site_is_crawled_once_at_a_time(club: Club) -> None:
    with host_of(club), pytest.raises(HostError, match="being crawled already"):
        host_of(club).start()
    with host_of(club):
        pass


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache", "some_browser")
def test_a_crawl_of_a_site_reads_what_it_may_and_sends_nothing(club: Club) -> None:
    with host_of(club) as host:
        graph = explore(host, budget=Budget(actions=12), seed=0, images=lambda _: "")
        assert {state.route for state in graph.states} >= {"/news"}
        assert not [
            state for state in graph.states if state.quality is Quality.ERROR and "private" not in state.route
        ]
        with closing(host.driver()) as driver, pytest.raises(DriverError):
            driver.perform(Open(address="http://elsewhere.example/"))
    assert {asked.method for asked in club.log} == {"GET"}
    assert not [asked for asked in club.log if asked.path.startswith("/private")]
    assert {asked.agent for asked in club.log} == {agent_of(site_of(club))}
    assert club.most_at_once == 1
    gaps = [later.began - sooner.ended for sooner, later in zip(club.pages, club.pages[1:], strict=False)]
    assert min(gaps) >= DELAY_S * 0.95, gaps

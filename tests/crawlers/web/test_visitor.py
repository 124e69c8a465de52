"""A visitor looks, and does nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from crawlers.web.visitor import PAGES, Visitor
from schemas.app import App, Locale, Platform

ENTRY = """
<a href="/about">About</a> <a href="about#more">More</a> <a href="/items/1?pin=1">Pin</a>
<a href="/logout">Log out</a> <a href="/items/1/delete">Delete</a> <a href="/forbidden/x">Not for us</a>
<a href="https://example.org/">Elsewhere</a> <a href="mailto:a@example.org">Mail</a> <a>Nowhere</a>
<a href="/broken">Broken</a> <a href="/last">Last</a>
"""


class Site:
    """What was asked for, and with which cookies."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.entry = ENTRY

    def serve(self) -> ThreadingHTTPServer:
        site = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.path, self.headers.get("Cookie", "")))
                self.send_response(500 if self.path == "/broken" else 200)
                if self.path == "/start":
                    self.send_header("Set-Cookie", "seen=1")
                self.end_headers()
                self.wfile.write(site.entry.encode() if self.path == "/start" else b"")

            def log_message(self, *_: object) -> None:
                pass

        return ThreadingHTTPServer(("127.0.0.1", 0), Answer)


@pytest.fixture
def site() -> Iterator[tuple[Site, str]]:
    site = Site()
    server = site.serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield site, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def app() -> App:
    return App(
        name="site",
        title="Site",
        platform=Platform.WEB,
        licence="MIT",
        serve=("true",),
        never=("^/forbidden/",),
        locale=Locale(via="setup", codes={"en": "en"}),
    )


def test_it_follows_links_that_only_show_something(site: tuple[Site, str]) -> None:
    served, origin = site
    stored = {"cookies": [{"name": "session", "value": "abc", "domain": "127.0.0.1", "path": "/"}]}
    Visitor(app(), origin, stored).look("/start")
    assert [path for path, _ in served.asked] == ["/start", "/about", "/broken", "/last"]
    assert served.asked[0][1] == "session=abc"
    assert set(served.asked[-1][1].split("; ")) == {"session=abc", "seen=1"}


def test_it_looks_at_so_many_pages(site: tuple[Site, str]) -> None:
    served, origin = site
    served.entry = "".join(f'<a href="/page-{number}">{number}</a>' for number in range(3 * PAGES))
    Visitor(app(), origin, None).look("/start")
    assert len(served.asked) == 1 + PAGES


def test_where_nobody_answers_it_sees_nothing() -> None:
    Visitor(app(), "http://127.0.0.1:1", None).look("/start")

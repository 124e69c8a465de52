"""A small site on loopback: the pages of this folder, and some answers that files cannot give."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from crawlers.host import HostError
from crawlers.web import browser
from crawlers.web.install import Toolbox
from schemas.app import App, Install

PAGES = Path(__file__).parent / "pages"
PURSE = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Purse(BaseHTTPRequestHandler):
    def do_GET(self):
        text = b"hello"
        if self.path == "/bills":
            text = b"bills"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        raise NotImplementedError

    def log_request(self, *args):
        pass

if sys.argv[1:]:
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Purse).serve_forever()
"""


class Site(SimpleHTTPRequestHandler):
    """Static pages; POST redirects; ``/hang`` and ``/stream`` keep the browser waiting."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/report.csv":
            self.answer(200, b"a,b\n1,2\n", {"Content-Type": "text/csv", "Content-Disposition": "attachment"})
        elif path in {"/hang", "/stream"}:
            time.sleep(8)
        elif path == "/slow":
            time.sleep(0.5)
            self.answer(200, b"<title>Slow</title><h1>Slow page</h1>", {"Content-Type": "text/html"})
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.path.startswith("/api/"):
            self.answer(201, b"created", {"Content-Type": "text/plain"})
        else:
            self.answer(302, b"", {"Location": "/plain.html"})

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def some_browser() -> Path:
    """The browser that a crawl would take, wherever it comes from."""
    with sync_playwright() as playwright:
        try:
            return browser.executable(Path(playwright.chromium.executable_path))
        except HostError as error:
            pytest.skip(str(error))


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=str(PAGES)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toolbox:
    """A place where the module purse is installed, which nobody fetched from anywhere."""
    tools = Toolbox(tmp_path / "tools")
    info = tools.package / "purse-1.0.dist-info"
    info.mkdir(parents=True)
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: purse\nVersion: 1.0\n")
    info.joinpath("RECORD").write_text("purse.py,,\n")
    tools.package.joinpath("purse.py").write_text(PURSE)
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path / "cache"))
    for user in ("host", "lines"):
        monkeypatch.setattr(f"crawlers.web.{user}.install", lambda _: tools)
    return tools


@pytest.fixture
def purse(tools: Toolbox) -> App:
    """A small app in Python; setting it up runs its code too."""
    return App(
        name="purse",
        title="Purse",
        platform="web",
        licence="MIT",
        install=Install(pypi=("purse==1.0", "other==1.0")),
        setup=((sys.executable, "-m", "purse"),),
        serve=(sys.executable, "-m", "purse", "{port}"),
        env={"PYTHONPATH": str(tools.package)},
        routes=(sys.executable, "-m", "purse"),
        locale={"via": "browser", "codes": {"en": "en"}},
    )

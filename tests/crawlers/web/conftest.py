"""A small site on loopback: the pages of this folder, and some answers that files cannot give."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PAGES = Path(__file__).parent / "pages"


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
def some_browser() -> str:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        pytest.skip("no Chromium on this machine; make setup installs one")
    return found


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

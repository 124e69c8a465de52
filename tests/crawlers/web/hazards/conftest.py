"""A site of hazards on loopback: what real pages do to crawlers, each made small."""

from __future__ import annotations

import hashlib
import io
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import pytest
from PIL import Image

from crawlers.explore import Budget, explore
from crawlers.replay import replay
from crawlers.web import browser
from crawlers.web.driver import WebDriver
from schemas.action import Action, Click, Open, Target
from schemas.app import App, Locale, Platform
from schemas.effect import Evidence
from schemas.graph import FunctionGraph
from schemas.record import digest
from schemas.screen import Element, State
from schemas.trajectory import Policy, Trajectory

PAGES = Path(__file__).parent / "pages"
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"

Answer = tuple[int, dict[str, str], bytes]


class Server(ThreadingHTTPServer):
    """Pages of a folder, where ``{{other}}`` names the origin of a second server, and made-up answers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.other = ""
        self.answers: dict[str, Callable[[Handler], Answer | None]] = {}
        self.asked: list[str] = []
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(
            target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class Handler(BaseHTTPRequestHandler):
    """Answers of the test first, then pages, then 404."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        path = self.path.partition("?")[0]
        self.server.asked.append(f"{self.command} {self.path}")
        answer = self.server.answers.get(path, Handler.page)(self)
        if answer is None:
            return
        status, headers, body = answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the library's name

    def page(self) -> Answer:
        path = PAGES / self.path.partition("?")[0].lstrip("/")
        if not path.is_file():
            return html("<title>Missing</title><h1>There is no such page</h1>", 404)
        return html(path.read_text(encoding="utf-8").replace("{{other}}", self.server.other))

    def log_message(self, *_: object) -> None:
        pass


def html(text: str, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return (
        status,
        {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", **named},
        text.encode(),
    )


@dataclass
class Stage:
    """A browser on the site of hazards, and short words for what tests do with it."""

    server: Server
    app: App
    driver: WebDriver
    images: dict[str, bytes] = field(default_factory=dict)

    html = staticmethod(html)

    def go(self, path: str) -> State:
        """Open a page, as ``/name.html``, and read it."""
        self.driver.perform(Open(address=path))
        return self.driver.observe()

    def see(self) -> State:
        return self.driver.observe()

    def said(self) -> str:
        return "\n".join(self.see().texts())

    def at(self, state: State, label: str, role: str = "") -> Element:
        return next(e for e in state.elements if e.label == label and (not role or e.role == role))

    def labels(self, state: State) -> set[str]:
        return {e.label for e in state.elements if e.visible}

    def click(self, element: Element) -> Evidence:
        return self.driver.perform(Click(target=Target.of(element)))

    def press(self, label: str, role: str = "") -> Evidence:
        """Click what has that label now."""
        return self.click(self.at(self.see(), label, role))

    def picture(self) -> Image.Image:
        return Image.open(io.BytesIO(self.driver.screenshot())).convert("RGB")

    def keep(self, png: bytes) -> str:
        name = "im_" + hashlib.sha256(png).hexdigest()
        self.images[name] = png
        return name

    def host(self, entry: str, **changes: Any) -> Host:
        return Host(
            self.app.model_copy(update={"name": digest("", entry), "entry": entry, **changes}), self.server
        )

    def explore(self, entry: str, actions: int = 20, **changes: Any) -> FunctionGraph:
        return explore(self.host(entry, **changes), budget=Budget(actions=actions), seed=0, images=self.keep)

    def replay(self, entry: str, *actions: Action) -> Trajectory:
        return replay(self.host(entry), actions, task="t", policy=Policy.REFERENCE, images=self.keep)


@dataclass
class Host:
    """The site of hazards as a Host: it keeps no data, so there is nothing to restore."""

    app: App
    server: Server
    lang: str = "en"
    restored: Callable[[], None] = lambda: None

    def start(self) -> None:
        pass

    def restore(self) -> None:
        self.restored()

    def driver(self) -> WebDriver:
        return browser.session(app=self.app, lang=self.lang, origin=self.server.origin)

    def stop(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def _browser(some_browser: Path) -> Iterator[None]:
    assert some_browser
    yield
    browser.close()


@pytest.fixture(scope="session")
def other() -> Iterator[Server]:
    """A second server: another origin."""
    with Server() as server:
        yield server


@pytest.fixture(scope="session")
def site(other: Server) -> Iterator[Server]:
    with Server() as server:
        server.other = other.origin
        yield server


@pytest.fixture(scope="session")
def app(other: Server) -> App:
    return App(
        name="hazards",
        title="Hazards",
        platform=Platform.WEB,
        licence="Apache-2.0",
        static="pages",
        entry="/plain.html",
        origins=(other.origin,),
        locale=Locale(via="header", codes={"en": "en"}),
    )


@pytest.fixture
def stage(site: Server, app: App, _browser: None) -> Iterator[Stage]:
    site.answers.clear()
    site.asked.clear()
    driver = browser.session(app=app, lang="en", origin=site.origin)
    yield Stage(site, app, driver)
    driver.close()


def sleeping(seconds: float, text: str) -> Callable[[Handler], Answer]:
    def answer(_: Handler) -> Answer:
        time.sleep(seconds)
        return html(text)

    return answer

# ruff: noqa: N815 - http.server names methods after those of HTTP
"""The Gate is the only way out for a browser that visits a public site: a proxy on loopback.

It lets reading through and nothing else: GET and HEAD, to the site's own domain, with good manners. The
browser speaks TLS with the Gate, which ignores nothing itself: sites must show valid certificates to it.
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from crawlers.processes import LOOPBACK
from crawlers.web.certificate import throwaway
from crawlers.web.manners import Answer, Manners, Refused
from schemas.app import Site

log = logging.getLogger(__name__)

_PORTS = {"http": 80, "https": 443}
_PAGES = frozenset({"document", "iframe", "frame", ""})
"""What browsers say they want a page for; those without a secure connection do not say."""
_BETWEEN = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-connection",
        "transfer-encoding",
        "content-length",
        "alt-svc",
        "upgrade",
    }
)
"""Headers of an answer that are between the site and us."""
_BODILESS = frozenset({204, 304})


class Gate:
    """Lets through until it is closed. Thread-safe."""

    def __init__(self, site: Site) -> None:
        """Open for a site."""
        self.site = site
        self._certificate = throwaway()
        self._known: dict[str, Manners] = {}
        self._guard = threading.Lock()
        self._server = _Listener((LOOPBACK, 0), partial(_Relay, self))
        self._thread = threading.Thread(target=self._server.serve_forever, name="gate", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where the browser finds it."""
        return f"http://{LOOPBACK}:{self._server.server_address[1]}"

    def manners(self, origin: str) -> Manners:
        """How that origin is asked.

        Raises:
            Refused: it is no part of the site.
        """
        if not _belongs(origin, self.site.origin):
            raise Refused(f"{origin} is not part of {self.site.domain}.")
        with self._guard:
            if origin not in self._known:
                self._known[origin] = Manners(origin, self.site)
            return self._known[origin]

    def shake(self, connection: socket.socket) -> ssl.SSLSocket:
        """The secure side of a connection of the browser's."""
        return self._certificate.wrap_socket(connection, server_side=True)

    def close(self) -> None:
        """Let nothing more through. Safe to call twice."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        for manners in self._known.values():
            manners.close()


def _belongs(origin: str, site: str) -> bool:
    """Whether an origin is the site's or one below its domain, on the usual ports or on the site's."""
    theirs, ours = urlsplit(origin), urlsplit(site)
    usual = theirs.port in {None, _PORTS.get(theirs.scheme), ours.port}
    domain = (ours.hostname or "").removeprefix("www.")
    host = theirs.hostname or ""
    return theirs.scheme in _PORTS and usual and (host == domain or host.endswith(f".{domain}"))


class _Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Take note that the browser has hung up."""
        log.debug("a connection of the browser's has ended", exc_info=True)  # noqa: LOG014 - called while the error is handled


class _Relay(BaseHTTPRequestHandler):
    """One connection of the browser's; behind CONNECT it goes on encrypted."""

    protocol_version = "HTTP/1.1"

    def __init__(self, gate: Gate, *args: Any) -> None:
        self._gate = gate
        self._tunnel = ""
        """Where an encrypted connection leads to."""
        super().__init__(*args)

    def do_CONNECT(self) -> None:
        """Begin an encrypted connection to a part of the site."""
        origin = f"https://{self.path.removesuffix(':443')}"
        try:
            self._gate.manners(origin)
        except Refused as refused:
            self._say(403, str(refused))
            return
        self.send_response_only(200)
        self.end_headers()
        try:
            secured = self._gate.shake(self.connection)
        except OSError:  # it spoke something else, websockets for example
            self.close_connection = True
            return
        self.connection = secured
        self.rfile, self.wfile = secured.makefile("rb"), secured.makefile("wb")
        self._tunnel = origin
        self.close_connection = False

    def do_GET(self) -> None:
        """Read."""
        self._relay()

    def do_HEAD(self) -> None:
        """Read no more than the headers."""
        self._relay()

    def do_POST(self) -> None:
        """Refuse, like everything that is not reading."""
        self._relay()

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_POST

    def _relay(self) -> None:
        parts = urlsplit(self._tunnel + self.path if self._tunnel else self.path)
        path = parts.path or "/"
        headers = {
            name: value for name, value in self.headers.items() if not name.lower().startswith("proxy-")
        }
        page = self.headers.get("Sec-Fetch-Dest", "") in _PAGES
        if "upgrade" in self.headers or self.headers.get("Accept") == "text/event-stream":
            self._say(403, "Connections that stay open are no reading.")
            return
        try:
            manners = self._gate.manners(f"{parts.scheme}://{parts.netloc}")
            target = f"{path}?{parts.query}" if parts.query else path
            self._pass_on(manners.ask(self.command, target, headers, page=page))
        except Refused as refused:
            self._say(403, str(refused))

    def _pass_on(self, answer: Answer) -> None:
        self.send_response_only(answer.status)
        for name, value in answer.headers:
            if name.lower() not in _BETWEEN:
                self.send_header(name, value)
        if self.command != "HEAD" and answer.status not in _BODILESS:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)
        self.wfile.flush()

    def _say(self, status: int, text: str) -> None:
        """An answer of our own, after which the connection ends: what else was sent is not read."""
        body = text.encode()
        self.close_connection = True
        self.send_response_only(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing about requests."""

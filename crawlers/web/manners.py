"""Manners: how an origin of a public site is asked for things.

One request at a time and on one connection, under our own name, nothing that its robots.txt keeps programs
from, and a pause between two pages. What a page is drawn with belongs to it and needs no pause of its own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from urllib.parse import urljoin, urlsplit

import urllib3
from protego import Protego

from schemas.app import Site

NAME = "Groundsmith"
"""What robots.txt files may call us."""
ROBOTS = "/robots.txt"
ROBOTS_BYTES = 500 * 1024
"""As much of a robots.txt as RFC 9309 asks everybody to read."""
MOST_BYTES = 32 * 2**20
"""Larger answers are given up."""
WAIT = urllib3.Timeout(connect=10.0, read=15.0)
"""Seconds."""
MOVES = 5
"""Redirects of a robots.txt that are followed, as RFC 9309 asks."""
_BUSY = frozenset({429, 503})
"""Answers after which a site is left alone."""
_EVERYTHING = "User-agent: *\nDisallow:"
_NOTHING = "User-agent: *\nDisallow: /"
_OURS = frozenset(
    {"user-agent", "host", "connection", "keep-alive", "upgrade", "te", "trailer", "transfer-encoding"}
)
"""Request headers that are between the browser and us."""


class Refused(Exception):  # noqa: N818 - good manners, no fault
    """The request is not made; the message says why."""


@dataclass(frozen=True)
class Answer:
    """A whole answer, encoded as it came."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header; empty where there is none."""
        return next((value for key, value in self.headers if key.lower() == name), "")


def agent_of(site: Site) -> str:
    """The user agent that says who asks and whom to complain to."""
    return f"Mozilla/5.0 (compatible; {NAME}/{version('groundsmith')}; +{site.contact})"


class Manners:
    """What one origin is asked, by whatever threads. It lives as long as the site is crawled."""

    def __init__(self, origin: str, site: Site) -> None:
        """Nothing is asked yet."""
        self._origin = origin
        self._agent = agent_of(site)
        self._delay = site.delay_s
        self._turn = threading.Lock()
        self._robots: Protego | None = None
        self._quiet_since = float("-inf")
        self._enough = False
        self._server = urllib3.connection_from_url(origin, maxsize=1, block=True, timeout=WAIT, retries=False)

    @property
    def delay_s(self) -> float:
        """Seconds between two pages: ours, or what robots.txt asks for where that is longer."""
        with self._turn:
            return self._pause_between()

    def ask(self, method: str, path: str, headers: Mapping[str, str], *, page: bool = True) -> Answer:
        """Wait for our turn, then for the pause if it is a page that is asked for, and ask.

        Raises:
            Refused: it is more than reading, robots.txt keeps programs from it, or no answer came.
        """
        if method not in {"GET", "HEAD"}:
            raise Refused(f"{method} is more than reading; public sites are only read.")
        with self._turn:
            if not self._rules().can_fetch(self._origin + path, NAME):
                raise Refused(f"{self._origin}{ROBOTS} keeps programs from {path}.")
            if self._enough:
                raise Refused(f"{self._origin} has asked for fewer requests; come back another day.")
            if page:
                time.sleep(max(0.0, self._quiet_since + self._pause_between() - time.monotonic()))
            answer = self._fetch(method, path, headers)
            self._enough = answer.status in _BUSY
            return answer

    def close(self) -> None:
        """Give the connection back."""
        self._server.close()

    def _pause_between(self) -> float:
        rules = self._rules()
        rate = rules.request_rate(NAME)
        by_rate = rate.seconds / rate.requests if rate else 0.0
        return max(self._delay, float(rules.crawl_delay(NAME) or 0), by_rate)

    def _rules(self) -> Protego:
        """By RFC 9309: who has no robots.txt allows everything, who cannot show it nothing."""
        if self._robots is None:
            try:
                answer = self._robots_txt()
            except Refused:
                text = _NOTHING
            else:
                text = answer.body[:ROBOTS_BYTES].decode("utf-8", "replace")
                if answer.status in _BUSY or answer.status >= 500:
                    text = _NOTHING
                elif answer.status != 200:
                    text = _EVERYTHING
            self._robots = Protego.parse(text)
        return self._robots

    def _robots_txt(self) -> Answer:
        """Where it has moved to on this origin; another origin's is none of this one's."""
        path = ROBOTS
        for _ in range(MOVES):
            answer = self._fetch("GET", path, {})
            moved = urlsplit(urljoin(self._origin + path, answer.header("location")))
            if answer.status // 100 != 3 or f"{moved.scheme}://{moved.netloc}" != self._origin:
                break
            path = f"{moved.path}?{moved.query}" if moved.query else moved.path
        return answer

    def _fetch(self, method: str, path: str, headers: Mapping[str, str]) -> Answer:
        passed_on = {name: value for name, value in headers.items() if name.lower() not in _OURS}
        try:
            reply = self._server.urlopen(
                method,
                path,
                headers={**passed_on, "User-Agent": self._agent},
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
            body = reply.read(MOST_BYTES + 1, decode_content=False)
            if len(body) > MOST_BYTES:
                reply.close()
                raise Refused(f"{self._origin}{path} is larger than {MOST_BYTES >> 20} MiB.")
            reply.release_conn()
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise Refused(f"{self._origin}{path} gave no answer ({error}).") from error
        finally:
            self._quiet_since = time.monotonic()
        return Answer(reply.status, tuple(reply.headers.items()), body)

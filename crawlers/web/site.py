"""The Host of a public site: it starts nothing, changes nothing, and watches how the site is read."""

from __future__ import annotations

import fcntl
from typing import IO, TYPE_CHECKING, Self
from urllib.parse import urljoin, urlsplit

from crawlers import cache
from crawlers.host import HostError
from crawlers.web.gate import Gate
from crawlers.web.manners import Refused
from crawlers.web.routes import origin_of
from schemas.app import App, Site

if TYPE_CHECKING:
    from crawlers.web.driver import WebDriver

MOVES = 5
"""Redirects that are followed to where the site really is."""
LONGEST_S = 10.0
"""Longest pause between two pages with which a browser can still be used."""


class SiteHost:
    """Obeys ``crawlers.host.Host``. Not thread-safe; one at a time per site on a machine."""

    def __init__(self, app: App, site: Site, lang: str) -> None:
        """Choose site and language; nothing is asked yet."""
        if lang not in app.languages:
            raise HostError(f"{app.title} speaks {', '.join(app.languages)}, not {lang!r}.")
        self.app = app
        self.lang = lang
        self.origin = site.origin
        """Where the site was found."""
        self._site = site
        self._gate: Gate | None = None
        self._lock: IO[str] | None = None

    @property
    def memory(self) -> int:
        """Nothing of ours serves it."""
        return 0

    def start(self) -> None:
        """Ask for robots.txt and the entry, and follow the site to where it is.

        Raises:
            HostError: it is being crawled already, does not want to be, or gives no answer.
        """
        if self._gate is not None:
            return
        self._lock = _only_one(self._site)
        self._gate = Gate(self._site)
        try:
            self.origin = self._landing(self._gate)
        except Refused as refused:
            self.stop()
            raise HostError(f"{self.app.title} is left alone: {refused}") from refused
        except BaseException:
            self.stop()
            raise

    def restore(self) -> None:
        """Do nothing: what is only read needs no putting back."""

    def driver(self) -> WebDriver:
        """A fresh session at the entry.

        Raises:
            HostError: it was not started.
        """
        from crawlers.web.browser import session  # noqa: PLC0415 - a Host can run without a browser

        if self._gate is None:
            raise HostError(f"{self.app.title} is not open; start its host first.")
        return session(app=self.app, lang=self.lang, origin=self.origin, proxy=self._gate.address)

    def stop(self) -> None:
        """Ask for nothing more. Safe to call twice."""
        if self._gate is not None:
            self._gate.close()
        if self._lock is not None:
            self._lock.close()
        self._gate = self._lock = None

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop."""
        self.stop()

    def _landing(self, gate: Gate) -> str:
        url = urljoin(self._site.origin, self.app.entry)
        for _ in range(MOVES):
            manners = gate.manners(origin_of(url))
            if manners.delay_s > LONGEST_S:
                raise Refused(f"it wants {manners.delay_s:g} s between two pages.")
            answer = manners.ask("GET", urlsplit(url).path or "/", {})
            if answer.status >= 400:
                raise Refused(f"{url} answers {answer.status}.")
            if not answer.header("location"):
                return origin_of(url)
            url = urljoin(url, answer.header("location"))
        raise Refused(f"it redirects more than {MOVES} times.")


def _only_one(site: Site) -> IO[str]:
    """Hold the site for this process: two would be two visitors."""
    folder = cache.root() / "sites"
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / f"{site.domain}.lock").open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise HostError(f"{site.domain} is being crawled already; wait until that is done.") from None
    return lock

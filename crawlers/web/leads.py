"""Leads: where the links and forms of one page lead, as routes.

What leads to the page's own path is told by what it adds to the query or changes there: the rest only carries
on what the page was asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from crawlers.web.raw import RawPage
from crawlers.web.routes import address_of, origin_of, route_of

Pair = tuple[str, str]
"""Name and value of a query."""


class Leads:
    """The links of one page, seen from where it is."""

    def __init__(self, page: RawPage) -> None:
        """Of a walk of the page."""
        self._url = page["url"]
        self._origin = origin_of(page["url"])
        here = urlsplit(address_of(page["url"], self._origin))
        self._path = here.path
        self._held = frozenset(parse_qsl(here.query, keep_blank_values=True))
        self._carried = frozenset(self._carried_by(page)) if self._held else frozenset()
        self._routes: dict[str, str] = {}
        """By what is written: it is asked for more than once, and many links say the same."""

    def route(self, written: str) -> str:
        """Route of a link or form target as written: inside the App a template, outside the host."""
        if written not in self._routes:
            self._routes[written] = self._route(written)
        return self._routes[written]

    def _route(self, written: str) -> str:
        url = urljoin(self._url, written)
        address = self._address(url)
        return route_of(self._changed(address)) if address.startswith("/") else urlsplit(url).netloc

    def in_page(self, href: str) -> bool:
        """Whether a link only runs a script or jumps within its own page."""
        if href.startswith("javascript:"):
            return True
        here, _, _ = self._url.partition("#")
        there, mark, fragment = href.partition("#")
        return bool(mark) and there == here and not fragment.startswith(("/", "!/"))

    def _address(self, url: str) -> str:
        return address_of(url, self._origin)

    def _changed(self, address: str) -> str:
        """The address with what it changes only; a link to the page itself changes what it was reached by,
        which is all that the page's other links do not carry on.
        """
        there = urlsplit(address)
        if there.path != self._path:  # most lead elsewhere
            return address
        pairs = parse_qsl(there.query, keep_blank_values=True)
        itself = frozenset(pairs) == self._held
        changed = [pair for pair in pairs if pair not in (self._carried if itself else self._held)]
        if not changed or len(changed) == len(pairs):
            return address
        return there._replace(query=urlencode(changed)).geturl()

    def _carried_by(self, page: RawPage) -> Iterator[Pair]:
        """What most links to the page's own path hold of what the page was asked for, of several."""
        queries = {self._query(node["href"]) for node in page["nodes"] if node.get("href")}
        queries -= {frozenset(), self._held}
        times = Counter(pair for query in queries for pair in query & self._held)
        yield from (pair for pair, count in times.items() if len(queries) > 1 and 2 * count > len(queries))

    def _query(self, href: str) -> frozenset[Pair]:
        """What a link to the page's own path asks for; nothing where it leads elsewhere."""
        there = urlsplit(self._address(urljoin(self._url, href)))
        return frozenset(parse_qsl(there.query, keep_blank_values=True) if there.path == self._path else ())

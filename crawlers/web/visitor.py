"""A Visitor looks at an App's pages without a browser and does nothing there: what its server's data have
become afterwards is the doing of sessions, caches and counters.
"""

from __future__ import annotations

import http.client
import urllib.error
from collections.abc import Iterator
from http.cookiejar import Cookie, CookieJar
from typing import Any, cast
from urllib.parse import urldefrag, urljoin
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

from bs4 import BeautifulSoup

from crawlers.risk import risk_of
from crawlers.web.routes import origin_of
from schemas.app import App
from schemas.graph import Risk
from schemas.screen import Element

PAGES = 12
"""Links of the entry that are followed."""
ANSWER_S = 20.0


class Visitor:
    """Somebody with the cookies of a stored session, on an App that is served at ``origin``."""

    def __init__(self, app: App, origin: str, storage: dict[str, Any] | None) -> None:
        """Nothing is asked for yet."""
        self._app = app
        self._origin = origin
        jar = CookieJar()
        for cookie in cast("list[dict[str, Any]]", (storage or {}).get("cookies", [])):
            jar.set_cookie(_cookie(cookie))
        self._opener = build_opener(HTTPCookieProcessor(jar), ProxyHandler({}))

    def look(self, entry: str) -> None:
        """See the entry and the first pages that it links to, those aside that might do something. A page
        that does not answer is passed over.
        """
        url = urljoin(f"{self._origin}/", entry)
        for link in list(self._links(url, self._get(url)))[:PAGES]:
            self._get(link)

    def _get(self, url: str) -> bytes:
        try:
            with self._opener.open(url, timeout=ANSWER_S) as answer:
                return bytes(answer.read())
        except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError):
            return b""

    def _links(self, page: str, body: bytes) -> Iterator[str]:
        """Addresses inside the App that carry no query: one that does may ask for more than a page."""
        known = {page}
        for link in BeautifulSoup(body, "html.parser").find_all("a", href=True):
            href = str(link["href"]).strip()
            url = urldefrag(urljoin(page, href)).url
            if url in known or "?" in url or origin_of(url) != self._origin:
                continue
            known.add(url)
            place = url.removeprefix(self._origin)
            shown = Element(key="", template="", role="link", name=link.get_text(" ", strip=True), href=place)
            if risk_of(shown, self._app) is Risk.NONE:
                yield url


def _cookie(held: dict[str, Any]) -> Cookie:
    """As Playwright stores them, in the standard library's words."""
    domain = str(held["domain"])
    return Cookie(
        version=0,
        name=str(held["name"]),
        value=str(held["value"]),
        port=None,
        port_specified=False,
        domain=domain,
        domain_specified=True,
        domain_initial_dot=domain.startswith("."),
        path=str(held.get("path", "/")),
        path_specified=True,
        secure=False,
        expires=None,
        discard=True,
        comment=None,
        comment_url=None,
        rest={},
    )

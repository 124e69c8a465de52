"""Addresses and routes: what of a URL names the place, and what is only today's data in it."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

from crawlers.web.tokens import is_random

_HOLE = "{}"
_DATA = re.compile(
    r"""(?<![0-9A-Za-z])(?:
        [0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}  # UUIDs
      | \d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?                      # dates
      | (?=[0-9a-fA-F]*\d)[0-9a-fA-F]{8,}                       # digests
      | \d+                                                     # numbers
    )(?![0-9A-Za-z])""",
    re.VERBOSE,
)
_MODES = frozenset(
    {*("do", "action", "act", "page", "tab", "view", "mode", "cmd", "op", "section", "type", "sort", "order")}
    | {"orderby", "sortby", "dir", "desc", "asc", "group", "format"}
)
"""Query parameters that choose among a few screens; the values of all others are data."""
_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{0,23}")


@lru_cache(maxsize=8_192)
def route_of(address: str) -> str:
    """An address (or a bare path) as a template: ids, dates, digests and tokens become ``{}``; query
    parameters are sorted by name and keep their value only where it names a screen (``do=edit``).
    """
    parts = urlsplit(address)
    path = "/".join(_segment(segment) for segment in parts.path.split("/"))
    pairs = sorted(
        {(name, _choice(name, value)) for name, value in parse_qsl(parts.query, keep_blank_values=True)}
    )
    query = "&".join(f"{name}={value}" for name, value in pairs)
    fragment = route_of(parts.fragment) if _is_client_route(parts.fragment) else ""
    return path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")


def chosen(route: str) -> str:
    """A route with the query parameters only that name a screen."""
    path, _, query = route.partition("?")
    kept = "&".join(pair for pair in query.split("&") if pair and not pair.endswith(f"={_HOLE}"))
    return f"{path}?{kept}" if kept else path


def origin_of(url: str) -> str:
    """Scheme, host and port: ``http://127.0.0.1:5003``."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def address_of(url: str, origin: str) -> str:
    """Path and query of a URL inside the origin, with the fragment where a client-side router uses it
    (``#/signin``); a URL outside as it is.
    """
    parts = urlsplit(url)
    if f"{parts.scheme}://{parts.netloc}" != origin:
        return url
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if _is_client_route(parts.fragment) else ""
    return (parts.path or "/") + query + fragment


def _is_client_route(fragment: str) -> bool:
    return fragment.startswith(("/", "!/"))


def _choice(name: str, value: str) -> str:
    keep = name.lower() in _MODES and _WORD.fullmatch(value)
    return value if keep else _HOLE


def _segment(segment: str) -> str:
    plain = unquote(segment)
    stem, dot, ending = plain.rpartition(".")
    if dot and ending.isalpha() and len(ending) <= 5 and stem:
        return f"{_segment(stem)}.{ending}"
    if is_random(plain):
        return _HOLE
    return _DATA.sub(_HOLE, plain)

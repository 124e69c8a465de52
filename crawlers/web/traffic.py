"""Traffic: what a page asked of its server, as Request records with secrets and tokens masked."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from urllib.parse import parse_qsl, urlsplit

from crawlers.web.routes import origin_of, route_of
from crawlers.web.tokens import is_random
from schemas.effect import Request

MASK = "***"
LONGEST = 2000
"""Characters kept of a submitted value."""
SHORTEST = 6
"""A secret shorter than this is only masked where it is the whole value: it might be part of any word."""

_ASSETS = frozenset({"stylesheet", "script", "image", "font", "media", "manifest", "texttrack", "other"})
"""Playwright's resource types that say nothing about what an action did."""
_ASSET_PATH = re.compile(r"\.(?:css|js|mjs|map|png|jpe?g|gif|svg|webp|ico|woff2?|ttf|otf)$", re.IGNORECASE)
_SECRET_NAME = re.compile(
    r"passw|passwd|pwd|passphrase|secret|token|csrf|xsrf|nonce|api_?key|otp|(?:^|[_-])pin$|auth_?code|sectok"
    r"|credential|signature|session_?id|(?:^|[_-])sid$",
    re.IGNORECASE,
)
_RUN = re.compile(r"[A-Za-z0-9_.~+=-]{20,}")


@dataclass(frozen=True)
class Exchange:
    """One request and its answer as the browser reported them."""

    method: str
    url: str
    kind: str
    """Playwright's resource type: ``document``, ``fetch``, ``xhr`` …"""
    status: int = 0
    """0 when no answer came."""
    content_type: str = ""
    body: bytes = b""
    document: bool = False
    """Whether it loads a page."""
    unprompted: bool = False
    """Whether the page asked on its own."""


@dataclass(frozen=True)
class Mask:
    """What may never be written down: values of secrets, and fields that hold passwords."""

    values: frozenset[str] = frozenset()
    names: frozenset[str] = field(default_factory=frozenset)

    def naming(self, names: Iterable[str]) -> Mask:
        """This mask with more fields that hold passwords."""
        more = frozenset(names) - self.names
        return Mask(self.values, self.names | more) if more else self

    def value(self, name: str, value: str) -> str:
        """The value of a named field, masked when its name or its own look says that it is a secret."""
        if not value:
            return value
        if name in self.names or value in self.values or _SECRET_NAME.search(name):
            return MASK
        return self.text(value)[:LONGEST]

    def text(self, text: str) -> str:
        """Free text with every secret and every random id in it masked."""
        for secret in sorted(self.values, key=lambda each: (-len(each), each)):
            if len(secret) >= SHORTEST:
                text = text.replace(secret, MASK)
        return _RUN.sub(lambda found: MASK if is_random(found[0]) else found[0], text)


def requests_of(exchanges: Iterable[Exchange], origins: Collection[str], mask: Mask) -> tuple[Request, ...]:
    """The requests to the App's own servers, assets left out, in the order in which they were made."""
    return tuple(
        _request(exchange, mask)
        for exchange in exchanges
        if origin_of(exchange.url) in origins and not is_asset(exchange)
    )


def is_asset(exchange: Exchange) -> bool:
    """Whether it only fetched what a page is drawn with."""
    if exchange.method not in {"GET", "HEAD"}:
        return False
    return exchange.kind in _ASSETS or (
        not exchange.document and bool(_ASSET_PATH.search(urlsplit(exchange.url).path))
    )


def _request(exchange: Exchange, mask: Mask) -> Request:
    parts = urlsplit(exchange.url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    return Request(
        method=exchange.method,
        path=parts.path or "/",
        route=route_of(parts.path or "/"),
        status=exchange.status,
        query=tuple((name, mask.value(name, value)) for name, value in query),
        fields=tuple((name, mask.value(name, value)) for name, value in fields_of(exchange)),
        document=exchange.document,
        unprompted=exchange.unprompted,
    )


def fields_of(exchange: Exchange) -> tuple[tuple[str, str], ...]:
    """The submitted fields in order: of a form, of JSON (flattened: ``a.b.0``), of parts (files by name)."""
    kind = exchange.content_type.partition(";")[0].strip().lower()
    if not exchange.body:
        return ()
    if kind == "multipart/form-data":
        return tuple(_parts(exchange))
    text = exchange.body.decode("utf-8", "replace")
    if kind == "application/x-www-form-urlencoded":
        return tuple(parse_qsl(text, keep_blank_values=True))
    if kind.endswith("json") or text[:1] in "{[":
        try:
            return tuple(_flatten(json.loads(text)))
        except ValueError:
            return (("", text),)
    return (("", text),)


def _parts(exchange: Exchange) -> Iterator[tuple[str, str]]:
    head = f"Content-Type: {exchange.content_type}\r\n\r\n".encode()
    whole = BytesParser(policy=HTTP).parsebytes(head + exchange.body)
    for part in whole.walk():
        name = part.get_param("name", header="content-disposition")
        if name is not None:
            payload = part.get_payload(decode=True)
            text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
            yield str(name), part.get_filename() or text


def _flatten(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        pairs: Iterable[tuple[object, object]] = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    else:
        yield path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return
    for name, inner in pairs:
        yield from _flatten(inner, f"{path}.{name}" if path else str(name))

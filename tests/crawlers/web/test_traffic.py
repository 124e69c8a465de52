"""Routes, request records and masks."""

from __future__ import annotations

import json

import pytest

from crawlers.web.routes import address_of, route_of
from crawlers.web.storage import Stored, changes
from crawlers.web.tokens import is_random
from crawlers.web.traffic import MASK, Exchange, Mask, fields_of, requests_of

ORIGIN = "http://127.0.0.1:5000"
TOKEN = "ImExMjk1NzE1NTkzOWRhOGQzMjRm.aw0Yxw.nQQH8u69-djF45tqJ9wsKyX3O5k"
NOTHING = Mask()


@pytest.mark.parametrize(
    "address, route",
    [
        ("/", "/"),
        ("/demo/edit/12", "/demo/edit/{}"),
        ("/lang/zh_Hans", "/lang/zh_Hans"),
        ("/v1/issue-123/milestone1", "/v1/issue-{}/milestone1"),
        ("/commit/deadbeef12", "/commit/{}"),
        ("/note/550e8400-e29b-41d4-a716-446655440000", "/note/{}"),
        ("/log/2027-02-01", "/log/{}"),
        ("/export/bills.json", "/export/bills.json"),
        (f"/feed/{TOKEN}.xml", "/feed/{}.xml"),
        ("/a/my-very-long-human-slug-of-2027", "/a/my-very-long-human-slug-of-{}"),
        ("/wiki/%E4%BD%A0%E5%A5%BD", "/wiki/你好"),
        ("/doku.php?id=wiki:syntax&do=edit", "/doku.php?do=edit&id={}"),
        ("/report/1?sort=name&asc=1&asc=2", "/report/{}?asc={}&sort=name"),
        ("/#/signin/3", "/#/signin/{}"),
        ("/page#section", "/page"),
    ],
)
def test_route(address: str, route: str) -> None:
    assert route_of(address) == route


def test_address_is_below_the_origin() -> None:
    assert address_of(f"{ORIGIN}/a?b=1#top", ORIGIN) == "/a?b=1"
    assert address_of(f"{ORIGIN}#/client/route", ORIGIN) == "/#/client/route"
    assert address_of("http://127.0.0.1:5001/a", ORIGIN) == "http://127.0.0.1:5001/a"


@pytest.mark.parametrize("text", [TOKEN, "x7Gk29Lm", "550e8400-e29b-41d4-a716-446655440000"])
def test_random_text(text: str) -> None:
    assert is_random(text)


@pytest.mark.parametrize(
    "text", ["Lunch-at-the-restaurant-2027", "WikiStart2", "2027-01-02", "milestone1", "a" * 40, "12345678"]
)
def test_text_with_a_meaning(text: str) -> None:
    assert not is_random(text)


def sent(body: bytes, content_type: str) -> Exchange:
    return Exchange("POST", f"{ORIGIN}/save", "document", 302, content_type, body, document=True)


def test_form_fields_keep_their_order_and_repeat() -> None:
    exchange = sent(b"what=a+b&payed_for=1&payed_for=2&empty=", "application/x-www-form-urlencoded")
    assert fields_of(exchange) == (("what", "a b"), ("payed_for", "1"), ("payed_for", "2"), ("empty", ""))


def test_json_is_flattened() -> None:
    body = json.dumps({"a": {"b": [1, True]}, "c": "你好", "d": None}, ensure_ascii=False).encode()
    assert fields_of(sent(body, "application/json; charset=utf-8")) == (
        ("a.b.0", "1"),
        ("a.b.1", "true"),
        ("c", "你好"),
        ("d", "null"),
    )
    assert fields_of(sent(b"{broken", "application/json")) == (("", "{broken"),)


def test_parts_are_fields_and_files_go_by_name() -> None:
    body = (
        '--X\r\nContent-Disposition: form-data; name="what"\r\n\r\n午餐\r\n'
        '--X\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n'
        "Content-Type: text/csv\r\n\r\n1,2\r\n--X--\r\n"
    ).encode()
    assert fields_of(sent(body, "multipart/form-data; boundary=X")) == (("what", "午餐"), ("file", "a.csv"))


def test_requests_are_of_the_app_and_no_assets() -> None:
    exchanges = [
        Exchange("GET", f"{ORIGIN}/demo/?page=2", "document", 200, document=True),
        Exchange("GET", f"{ORIGIN}/static/main.css", "stylesheet", 200),
        Exchange("GET", f"{ORIGIN}/static/icon.svg", "fetch", 200),
        Exchange("GET", "http://example.org/x", "fetch", 0),
        Exchange("GET", f"{ORIGIN}/api/items/3", "xhr", 200),
        Exchange("POST", f"{ORIGIN}/beacon", "ping", 204),
    ]
    found = requests_of(exchanges, (ORIGIN,), NOTHING)
    assert [request.signature for request in found] == ["GET /demo/", "GET /api/items/{}", "POST /beacon"]
    assert [request.document for request in found] == [True, False, False]
    assert found[0].query == (("page", "2"),)


@pytest.mark.parametrize(
    "name, value",
    [
        ("password", "x"),
        ("csrf_token", "abc"),
        ("user[pin]", "open-sesame"),
        ("code", "open-sesame"),
        ("known", "anything"),
        ("state", TOKEN),
    ],
)
def test_secrets_are_masked(name: str, value: str) -> None:
    mask = Mask(frozenset({"open-sesame"})).naming(["known"])
    assert mask.value(name, value) == MASK


def test_what_is_no_secret_is_kept() -> None:
    mask = Mask(frozenset({"open-sesame", "demo"}))
    assert mask.value("what", "Lunch at 12:30, 2027-02-01") == "Lunch at 12:30, 2027-02-01"
    assert mask.value("title", "demonstration") == "demonstration"
    assert mask.value("note", "say open-sesame now") == f"say {MASK} now"
    assert mask.value("password", "") == ""
    assert len(mask.value("long", "word " * 1000)) == 2000


def test_storage_changes_are_ordered_and_masked() -> None:
    before = Stored(local={"gone": ("{}", 1, 1), "same": ("2", 2, -1), "todos": ("[]", 3, 0)}, session={})
    after = Stored(
        local={"same": ("2", 2, -1), "todos": ("[1]", 4, 1), "auth_token": ("abc", 5, -1)},
        session={"tab": ("3", 6, -1)},
    )
    found = changes(before, after, ["notes/pages", "notes/pages"], NOTHING)
    assert [(w.area, w.key, w.value, w.removed, w.grown) for w in found] == [
        ("local", "auth_token", MASK, False, None),
        ("local", "gone", "", True, -1),
        ("local", "todos", "[1]", False, 1),
        ("session", "tab", "3", False, None),
        ("indexed", "notes/pages", "", False, None),
    ]
    assert changes(after, after, [], NOTHING) == ()

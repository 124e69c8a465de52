"""What a page keeps in the browser: what an action stored, and what a page only remembers of itself."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow

HEIGHT = "<script>localStorage.setItem('height', '207')</script>"
THEME = """<script>
const asked = new URLSearchParams(location.search).get('theme');
if (asked) localStorage.setItem('theme', JSON.stringify(asked));
</script>"""
LOG = """<script>
const open = indexedDB.open('book');
open.onupgradeneeded = () => open.result.createObjectStore('lines', { autoIncrement: true });
open.onsuccess = () => open.result.transaction('lines', 'readwrite').objectStore('lines').add(1);
</script>"""


def stored(stage: Any, first: str, second: str = "<h1>Second</h1>") -> set[tuple[str, str]]:
    """Areas and keys that are written when "Go" is pressed on the first page, which leads to the second."""
    stage.server.answers["/keep/first"] = lambda _: stage.html(first)
    stage.server.answers["/keep/second"] = lambda _: stage.html(second)
    stage.go("/keep/first")
    return {(write.area, write.key) for write in stage.press("Go").storage}


@pytest.mark.parametrize("page", [HEIGHT, LOG], ids=["local", "indexed"])
def test_what_a_page_notes_as_it_comes_up_is_no_doing_of_the_link(stage: Any, page: str) -> None:
    assert stored(stage, '<a href="/keep/second">Go</a>', page) == set()


def test_what_a_press_stored_before_it_led_on_is_its_doing(stage: Any) -> None:
    press = "localStorage.setItem('basket', '[1]'); location = '/keep/second'"
    assert stored(stage, f'<button onclick="{press}">Go</button>', HEIGHT) == {("local", "basket")}


def test_what_an_address_asks_a_page_to_keep_is_the_doing_of_its_link(stage: Any) -> None:
    link = '<a href="/keep/second?theme=dark">Go</a>'
    assert stored(stage, link, f"{HEIGHT}{THEME}") == {("local", "theme")}


def test_what_is_stored_without_leaving_is_the_doing_of_the_press(stage: Any) -> None:
    press = "localStorage.setItem('basket', '[1]')"
    assert stored(stage, f'{HEIGHT}<button onclick="{press}">Go</button>') == {("local", "basket")}


def test_a_page_that_notes_how_it_looks_is_reached_in_the_pristine_world(stage: Any) -> None:
    """Behind its link lies no write, so that what is behind it is tried like all else."""
    stage.server.answers["/keep/entry"] = lambda _: stage.html('<a href="/keep/form">Write</a>')
    form = '<form action="/keep/sent"><input name="a"><button>Send</button></form>'
    stage.server.answers["/keep/form"] = lambda _: stage.html(f"{HEIGHT}{form}")
    graph = stage.explore("/keep/entry", 1)
    (edge,) = graph.transitions
    assert edge.effect.main == "navigate"
    assert edge.effect.evidence.storage == ()


FOLD = "document.cookie = 'folded=1; path=/'"
VISITS = (
    "<script>document.cookie = 'visits=' + (Number(document.cookie.split('visits=')[1]) + 1 || 1);</script>"
)


def test_a_cookie_that_a_press_sets_is_its_doing(stage: Any) -> None:
    assert stored(stage, f'<button onclick="{FOLD}">Go</button>') == {("cookie", "folded")}


def test_a_cookie_that_pages_set_as_they_come_up_tells_nothing_of_a_press(stage: Any) -> None:
    press = f"document.cookie = 'visits=9'; {FOLD}"
    assert stored(stage, f'{VISITS}<button onclick="{press}">Go</button>') == {("cookie", "folded")}


def test_a_cookie_that_comes_with_the_next_page_is_no_doing_of_the_link(stage: Any) -> None:
    page = (200, {"Content-Type": "text/html", "Set-Cookie": "seen=1"}, b"<h1>Second</h1>")
    stage.server.answers["/keep/first"] = lambda _: stage.html('<a href="/keep/next">Go</a>')
    stage.server.answers["/keep/next"] = lambda _: page
    stage.go("/keep/first")
    assert stage.press("Go").storage == ()


def test_what_a_cookie_folds_away_is_unfolded_where_nobody_folded_it(stage: Any) -> None:
    pages = ("tea", "milk", "bread", "salt", "rice", "beans", "oil", "soap")
    links = "".join(f'<a href="/fold/{name}">{name}</a> ' for name in pages)

    def page(request: Any) -> Any:
        kind = "Folded" if "folded" in request.headers.get("Cookie", "") else "Open"
        press = f"{FOLD}; document.querySelector('h1').textContent = 'Folded'"
        fold = f'<h1>{kind}</h1><button onclick="{press}">Fold</button>'
        return stage.html(f"{fold}<h2>{request.path}</h2>{links}")

    for name in ("", *pages):
        stage.server.answers[f"/fold/{name}"] = page
    graph = stage.explore("/fold/", 20)
    seen = {
        (edge.action.target.label, "Open" in graph.by_id()[edge.target].texts()) for edge in graph.transitions
    }
    assert seen == {("Fold", False), *((name, True) for name in pages)}

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawlers import platforms, recipe
from crawlers.host import HostError
from crawlers.platforms import HostPool, listed, open_host
from crawlers.web.host import WebHost
from schemas.app import App, Platform
from schemas.graph import Coverage, FunctionGraph


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path))
    table = """
        name = "page"
        title = "Page"
        platform = "web"
        licence = "MIT"
        static = "{data}"
        files = { "index.html" = "hello" }
        locale = { via = "browser", codes = { en = "en", de = "de" } }
    """
    (tmp_path / "page.toml").write_text(table, encoding="utf-8")
    return recipe.load(tmp_path / "page.toml")


@pytest.fixture
def pool() -> Iterator[HostPool]:
    pool = HostPool()
    yield pool
    pool.close_all()


def test_a_host_is_started_once_per_app_and_language(page: App, pool: HostPool) -> None:
    host = pool.host(page, "en")
    assert isinstance(host, WebHost)
    assert host._running.alive
    assert pool.host(page, "en") is host
    assert pool.host(page, "de") is not host


def test_a_pickled_pool_is_the_same_pool(page: App, pool: HostPool) -> None:
    assert pickle.loads(pickle.dumps(pool)).host(page, "en") is pool.host(page, "en")  # noqa: S301


def test_closing_stops_all_and_a_later_use_starts_anew(page: App, pool: HostPool) -> None:
    host = pool.host(page, "en")
    pool.close_all()
    pool.close_all()
    with pytest.raises(HostError, match="not running"):
        host.restore()
    assert pool.host(page, "en") is not host


def test_a_host_that_does_not_start_is_not_kept(page: App, pool: HostPool) -> None:
    with pytest.raises(HostError, match="neither serve nor static"):
        pool.host(page.model_copy(update={"static": ""}), "en")
    assert platforms._live == {}


def test_a_platform_without_a_host_says_so(page: App) -> None:
    with pytest.raises(HostError, match="Page is an android app, and only web and desktop apps can be run"):
        open_host(page.model_copy(update={"platform": Platform.ANDROID}), "en")


TABLE = """
home     GET        /
add      GET, POST  /add
remove   POST       /remove/<int:bill>
api.all  GET        /api/all
"""


@pytest.fixture
def graph(page: App) -> FunctionGraph:
    reached = Coverage(routes=("GET /", "POST /add", "POST /elsewhere", "GET /api/all"))
    return FunctionGraph(
        app="page", app_id=page.id, lang="en", root="st_0", states=(), transitions=(), coverage=reached
    )


def test_routes_that_the_app_lists_are_counted_where_a_user_can_come_to_them(
    page: App, pool: HostPool, graph: FunctionGraph
) -> None:
    table = {"files": {"table": TABLE}, "routes": ("cat", "table"), "unlinked": (r"api\.",)}
    told = listed(pool.host(page.model_copy(update=table), "en"), graph)
    assert (told.coverage.routes_reached, told.coverage.routes_known) == (2, 3)
    untold = told.coverage.model_copy(update={"routes_reached": None, "routes_known": None})
    assert told.model_copy(update={"coverage": untold}) == graph


@pytest.mark.parametrize("routes", [(), ("cat", "index.html")])
def test_an_app_that_lists_no_routes_keeps_its_graph(
    page: App, pool: HostPool, graph: FunctionGraph, routes: tuple[str, ...]
) -> None:
    assert listed(pool.host(page.model_copy(update={"routes": routes}), "en"), graph) == graph


def test_a_list_of_routes_that_fails_costs_no_crawl(
    page: App, pool: HostPool, graph: FunctionGraph, caplog: pytest.LogCaptureFixture
) -> None:
    host = pool.host(page.model_copy(update={"routes": ("cat", "nothing")}), "en")
    assert listed(host, graph) == graph
    assert "routes are not counted: Page: the command cat nothing … failed with status 1" in caplog.text

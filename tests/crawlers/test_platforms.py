import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawlers import platforms, recipe
from crawlers.host import HostError
from crawlers.platforms import HostPool, open_host
from crawlers.web.host import WebHost
from schemas.app import App, Platform


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

"""Command line > environment > file > defaults, and every mistake is one sentence with the key in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.commands.work import given
from pipeline.config import Config, load
from pipeline.errors import ConfigError


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os  # noqa: PLC0415

    for name in [name for name in os.environ if name.startswith("GROUNDSMITH_")]:
        monkeypatch.delenv(name)


def write(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(text)
    return file


def test_nothing_given_is_the_default_run() -> None:
    assert load(None, {}) == Config()
    assert type(load(None, {})) is Config


def test_each_source_overrides_the_next_key_by_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, "seed = 1\n[crawl]\nactions = 1\nseconds = 1.0\n[compose]\nlimit = 1\n")
    monkeypatch.setenv("GROUNDSMITH_SEED", "2")
    monkeypatch.setenv("GROUNDSMITH_CRAWL__ACTIONS", "2")
    config = load(file, {"crawl": {"actions": 3}, "lang": ["en"]})
    assert (config.crawl.actions, config.crawl.seconds) == (3, 1.0)
    assert (config.seed, config.compose.limit, config.lang) == (2, 1, ("en",))
    assert config.compose.per_capability == Config().compose.per_capability


def test_lines_are_counted_only_where_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    options = (None, None, None, None, None, None, None, None)
    assert not load(None, given(*options, lines=False)).crawl.lines
    assert load(None, given(*options, lines=True)).crawl.lines
    monkeypatch.setenv("GROUNDSMITH_CRAWL__LINES", "true")
    assert load(None, given(*options, lines=False)).crawl.lines
    assert load(None, {}).id != Config().id, "the crawls that are published differ"


def test_lists_come_from_the_environment_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDSMITH_APP", '["trac", "shaarli"]')
    assert load(None, {}).app == ("trac", "shaarli")


@pytest.mark.parametrize(
    "text, given, words",
    [
        ("[crawl]\nactons = 1\n", {}, "no setting crawl.actons; known are actions, seconds"),
        ("sead = 1\n", {}, "no setting sead; known are app, site, contact, lang, seed"),
        ("[crawl]\nseconds = 0\n", {}, "crawl.seconds = 0 does not do"),
        ("[judge]\ntie = 'toss'\n", {}, "judge.tie = 'toss' does not do"),
        ("seed = \n", {}, "not valid TOML .*line 1"),
        ("", {"runner": "dask"}, "runner = 'dask' does not do"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        load(write(tmp_path, text), given)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_broken_list_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDSMITH_APP", "trac")
    with pytest.raises(ConfigError, match=r"app.*JSON"):
        load(None, {})


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml cannot be read"):
        load(tmp_path / "nowhere.toml", {})


def test_the_id_hashes_what_can_change_the_corpus() -> None:
    assert Config().id == Config(runner="beam").id
    assert Config().id != Config(seed=1).id

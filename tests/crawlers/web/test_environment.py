import os
from pathlib import Path

import pytest

from crawlers import clock, recipe
from crawlers.web.environment import environment, fill, placeholders
from crawlers.web.install import Toolbox


def test_known_placeholders_are_filled_and_other_braces_stay() -> None:
    text = 'a({port}) { color: red } {"x": {}} {secret:p} ${data} {unknown}'
    filled = fill(text, {"port": "8080", "data": "/d"})
    assert filled == 'a(8080) { color: red } {"x": {}} {secret:p} $/d {unknown}'


def test_an_app_sees_its_own_world_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN_OF_OURS", "hush")
    app = recipe.load("ihatemoney")
    values = placeholders(app, "zh-Hans", port=20_001, data=tmp_path / "data", tools=Toolbox(tmp_path))
    assert values["origin"] == "http://127.0.0.1:20001"
    assert values["locale"] == "zh_Hans"
    seen = environment(app, values, tmp_path / "home", "")
    assert "SOME_TOKEN_OF_OURS" not in seen
    assert seen["HOME"] == str(tmp_path / "home")
    assert seen["TZ"] == "UTC"
    assert seen["PATH"].split(os.pathsep)[0] == str(tmp_path / "venv" / "bin")
    assert seen["IHATEMONEY_SETTINGS_FILE_PATH"] == str(tmp_path / "data" / "settings.py")
    assert seen["https_proxy"].startswith("http://127.0.0.1:")
    assert "LD_PRELOAD" not in seen


def test_sample_data_are_older_than_the_crawl() -> None:
    assert clock.before("2027-02-01 09:00:00") == "2027-02-01 08:59:00"
    assert clock.before("") == ""


def test_without_the_library_the_real_clock_is_used_and_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clock, "LIBRARIES", ("no/such/*",))
    clock._library.cache_clear()
    try:
        assert clock.variables("2027-02-01 09:00:00") == clock.variables("2027-02-01 09:00:00") == {}
    finally:
        clock._library.cache_clear()
    assert caplog.text.count("libfaketime is missing") == 1


def test_shared_memory_of_processes_that_are_gone_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "SHARED_MEMORY", tmp_path)
    names = [
        f"faketime_shm_{os.getpid()}",
        "faketime_shm_4194999",
        "sem.faketime_sem_4194999",
        "other_4194999",
    ]
    for name in names:
        (tmp_path / name).touch()
    clock.sweep()
    assert {path.name for path in tmp_path.iterdir()} == {names[0], names[3]}

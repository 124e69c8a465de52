"""``apps``, ``sites`` and ``doctor --apps``: what there is, and whether it runs here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from crawlers.checkup import Checkup
from crawlers.driver import DriverError
from crawlers.host import Host, HostError
from crawlers.recipe import available
from pipeline import cli
from pipeline.commands import doctor

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def groundsmith(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(doctor, "_browser", lambda: "Chromium")

    def call(*argv: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            cli.main([str(part) for part in argv])
        out, err = capsys.readouterr()
        return int(caught.value.code or 0), out, err

    return call


def words_of(lang: str) -> tuple[str, ...]:
    return ("设置", "统计") if lang.startswith("zh") else ("Settings", "Statistics")


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], Exception | tuple[str, ...]]:
    """What is found of an app in a language, where it is not sound: an error, or other words."""
    found: dict[tuple[str, str], Exception | tuple[str, ...]] = {}

    def examine(host: Host, keep: Callable[[bytes], object]) -> Checkup:
        seen = found.get((host.app.name, host.lang), words_of(host.lang))
        if isinstance(seen, Exception):
            raise seen
        keep(b"picture")
        return Checkup(
            app=host.app.name, lang=host.lang, prepare_s=9.0, start_s=1.0, reset_s=0.02, memory=50 * 2**20,
            words=seen, wrote=True,
        )  # fmt: skip

    monkeypatch.setattr(doctor, "examine", examine)
    monkeypatch.setattr(doctor, "open_host", lambda app, lang: SimpleNamespace(app=app, lang=lang))
    return found


Examined = dict[tuple[str, str], Exception | tuple[str, ...]]


def test_sound_apps_are_reported_with_what_was_measured(
    groundsmith: Run, examined: Examined, tmp_path: Path
) -> None:
    assert examined == {}
    code, out, _ = groundsmith("doctor", "--apps", "trac", "fossil", "--pictures", tmp_path)
    said = [line for line in out.splitlines() if " app " in line]
    assert code == 0
    assert [line.split()[:4] for line in said] == [
        ["ok", "app", "trac", "en"], ["ok", "app", "trac", "zh-Hans"], ["ok", "app", "fossil", "en"],
    ]  # fmt: skip
    assert "starts in 1.0 s, resets in 0.02 s, 50 MiB" in said[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fossil-en.png",
        "trac-en.png",
        "trac-zh-Hans.png",
    ]


@pytest.mark.parametrize(
    "fault,sentence",
    [
        (HostError("Trac listens on 0.0.0.0 port 1; make its recipe bind 127.0.0.1."), "listens on 0.0.0.0"),
        (DriverError("timeout", "The page does not answer."), "does not answer"),
        (ZeroDivisionError("division by zero"), "Trac: ZeroDivisionError: division by zero"),
        (words_of("en"), "Trac says the same in zh-Hans as in en"),
        (("Wiki", "Roadmap"), "Trac shows no control in the script of zh-Hans"),
    ],
)
def test_one_failing_app_is_told_in_one_sentence_and_stops_no_other(
    groundsmith: Run, examined: Examined, tmp_path: Path, fault: Exception | tuple[str, ...], sentence: str
) -> None:
    examined["trac", "zh-Hans"] = fault
    code, out, _ = groundsmith(
        "doctor", "--apps", "trac", "nowhere", "fossil", "--pictures", tmp_path, "--json"
    )
    found = {finding["what"]: finding for finding in json.loads(out)}
    assert code == 1
    assert sentence in found["app trac zh-Hans"]["said"]
    assert not found["app trac zh-Hans"]["ok"]
    assert "There is no app 'nowhere'" in found["app nowhere"]["said"]
    assert found["app trac en"]["ok"]
    assert found["app fossil en"]["ok"]
    assert found["app fossil en"]["checkup"]["start_s"] == 1.0


def test_all_that_ship_are_tried_where_none_is_named(
    groundsmith: Run, examined: Examined, tmp_path: Path
) -> None:
    assert examined == {}
    _, out, _ = groundsmith("doctor", "--apps", "--pictures", tmp_path, "--json")
    tried = {finding["what"].split()[1] for finding in json.loads(out) if finding["what"].startswith("app ")}
    assert tried == set(available())


def test_apps_are_listed_and_narrowed(groundsmith: Run) -> None:
    code, out, _ = groundsmith("apps")
    assert code == 0
    assert out.splitlines()[0].split() == ["name", "title", "category", "platform", "languages", "licence"]
    assert len(out.splitlines()) == len(available()) + 1
    _, out, _ = groundsmith("apps", "--platform", "web", "--lang", "zh-Hans", "--json")
    listed = json.loads(out)
    assert {"trac", "roundup"} <= {app["name"] for app in listed}
    assert all("zh-Hans" in app["languages"] and app["licence"] for app in listed)
    code, _, err = groundsmith("apps", "--platform", "toaster")
    assert code == 2
    assert "no platform 'toaster'; choose from web, android, desktop" in err


def test_sites_are_drawn_and_narrowed(groundsmith: Run) -> None:
    code, out, _ = groundsmith("sites", "--count", 5, "--lang", "zh-Hans", "--json")
    drawn = json.loads(out)
    assert code == 0
    assert [site["lang"] for site in drawn] == ["zh-Hans"] * 5
    assert groundsmith("sites", "--count", 5, "--lang", "zh-Hans", "--json")[1] == out
    code, _, err = groundsmith("sites", "--category", "toasters")
    assert code == 2
    assert "no category 'toasters'; choose from auto" in err


@pytest.mark.parametrize(
    "argv,words",
    [
        (["--site", "wikipedia.org"], "give --contact"),
        (["--site", "wikipedia.org", "--contact", "nobody"], "give --contact"),
        (["--site", "nowhere.invalid", "--contact", "me@example.org"], "not in the pool of public sites"),
    ],
)
def test_a_site_is_crawled_only_by_somebody_who_can_be_reached(
    groundsmith: Run, tmp_path: Path, argv: list[str], words: str
) -> None:
    code, _, err = groundsmith("plan", *argv, "--model", "none", "--out", tmp_path / "run")
    assert code == 2
    assert words in err
    assert err.count("\n") == 1


def test_who_names_a_site_and_no_app_crawls_no_app(groundsmith: Run, tmp_path: Path) -> None:
    options = ("--contact", "me@example.org", "--model", "none", "--out", tmp_path / "run", "--json")
    _, out, _ = groundsmith("plan", "--site", "wikipedia.org", *options)
    assert json.loads(out)["crawls"] == ["wikipedia.org en"]

"""The bench must be fair: everybody is counted alike, and nothing is counted that was not done."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_web import RIVALS, ratios
from contest import Score, excluded
from endurance import ratio
from tally import CountingHost, Tally
from todomvc import VARIANTS, jaccard, recipe
from versus.job import Job, Trip

from crawlers.explore import Budget, explore
from crawlers.recipe import load
from crawlers.scripted import ScriptedHost, scripted_app
from crawlers.walker import OutOfBudget
from schemas.effect import Download, Evidence, Request


def request(method: str, path: str, status: int, *, document: bool = True) -> Request:
    return Request(method=method, path=path, route=path, status=status, document=document)


def test_a_redirect_is_no_page_and_a_refused_write_is_no_write() -> None:
    tally = Tally(limit=10)
    sent = (request("POST", "/add", 302), request("GET", "/list", 200))
    tally.acted(Evidence(requests=sent))
    tally.acted(Evidence(requests=(request("POST", "/refused", 403),)))
    tally.acted(Evidence(requests=(request("PUT", "/quiet", 204, document=False),)))
    assert (tally.loads, tally.screens) == (2, 3)
    assert tally.writes == {"POST /add", "PUT /quiet"}


def test_a_file_is_no_page() -> None:
    tally = Tally(limit=10)
    file = Download(name="bills.csv", route="/export", path="/export")
    tally.acted(Evidence(requests=(request("GET", "/export", 200),), downloads=(file,)))
    assert tally.loads == 0


def test_our_crawl_ends_with_its_page_loads() -> None:
    tally = Tally(limit=5)
    with ScriptedHost(scripted_app(), "en") as inner:
        host = CountingHost(inner, tally)
        graph = explore(host, budget=Budget(actions=500), seed=0, images=lambda _: "im")
        with pytest.raises(OutOfBudget):
            host.driver()
    assert tally.loads == graph.coverage.page_loads == 5
    assert graph.transitions


def test_rivals_stay_inside_and_logged_in() -> None:
    job = Job("http://127.0.0.1:1", "", {}, 1, excluded(load("ihatemoney")), "", (), {})
    assert job.may_follow("http://127.0.0.1:1/demo/edit/3")
    assert job.may_follow("http://127.0.0.1:1/demo/exited-bills")
    assert not job.may_follow("http://127.0.0.1:1/exit")
    assert not job.may_follow("http://127.0.0.1:1/lang/de")
    assert not job.may_follow("http://127.0.0.1:1/doku.php?do=logout")
    assert not job.may_follow("http://127.0.0.1:2/demo/")


def test_a_trip_comes_back_as_it_was_written(tmp_path: Path) -> None:
    trip = Trip()
    trip.begin()
    trip.arrive("http://127.0.0.1:1/a#part")
    trip.heard("POST", 200, "http://127.0.0.1:1/b?c=1", "http://127.0.0.1:1")
    trip.heard("GET", 200, "http://127.0.0.1:2/b", "http://127.0.0.1:1")
    trip.write(tmp_path / "trip.json")
    again = Trip.read(tmp_path / "trip.json")
    assert again.visited == ["http://127.0.0.1:1/a"]
    assert again.requests == ["POST 200 /b"]
    assert again.seconds == trip.seconds


def test_nothing_is_said_about_the_speed_of_a_few_pages() -> None:
    assert Score(loads=3, seconds=1.0).pages_s is None
    known = Score(loads=30, screens=45, seconds=10.0)
    assert (known.pages_s, known.screens_s) == (3.0, 4.5)


def scores(ours: dict[str, Any], rival: dict[str, Any]) -> dict[str, Any]:
    base: dict[str, Any] = {"pages_s": None, "screens_s": None, "writes": (), "lines": None, "states": 0}
    return {"crawlers": {"ours": base | ours, **dict.fromkeys(RIVALS, base | rival)}}


def test_ratios_are_medians_over_the_apps_that_tell() -> None:
    found = {
        "a": scores({"pages_s": 2.0, "writes": ("x", "y"), "lines": 30}, {"pages_s": 4.0, "lines": 20}),
        "b": scores({"pages_s": 3.0, "writes": ("x",)}, {"pages_s": 3.0, "writes": ("x",)}),
        "c": scores({"screens_s": 6.0}, {"pages_s": 9.0, "screens_s": 4.0}),
    }
    said = ratios(found)
    assert said["speed_vs_bare"] == 0.75
    assert said["screens_vs_bare"] == 1.5
    assert said["writes_vs_best"] == 1.5
    assert said["lines_vs_best"] == 1.5
    assert ratios({})["speed_vs_bare"] is None


def test_agreement_needs_something_to_agree_on() -> None:
    one = frozenset({("create", "textbox", "", "", ("text",))})
    assert jaccard(one, one) == 1.0
    assert jaccard(one, frozenset()) == 0.0
    assert jaccard(frozenset(), frozenset()) == 0.0


def test_every_variant_starts_with_the_same_to_dos() -> None:
    assert len(VARIANTS) >= 12
    for variant in VARIANTS:
        assert recipe(variant).files["sample.html"].count("Buy milk") == 1


def test_flat_memory_has_a_ratio_of_one() -> None:
    assert ratio([9.0, 5.0, 5.0, 5.0, 6.0, 6.0, 5.0, 5.0]) == 1.0
    assert ratio([1.0, 1.0, 1.0, 2.0]) == 2.0

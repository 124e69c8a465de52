"""``make bench-web [ARGS=…]``: the web crawler at full depth, measured. The last line is one JSON object.

apps               per App of the pool: what a crawl of it found and cost (``table``)
versus             per App: our crawler beside a bare Playwright link loop, crawlee, scrapy-playwright and a
                   random monkey, with as many page loads each (``contest``)
speed_vs_bare      our page loads per second by those of the bare loop; median over the Apps on which both
                   made enough of them
speed_vs_crawlee   the same beside crawlee
screens_vs_bare, screens_vs_crawlee
                   our screens per second by theirs: a link follower sees one at every page load, we act on a
                   page, and look at what came of it, several times between two loads
writes_vs_best     our accepted non-GET routes by those of the best rival; median over the Apps where anybody
                   had any
lines_vs_best      lines of the App's own code that only we or they ran on its server, beyond those that its
                   start runs: ours by the best rival's; median over Python Apps
todomvc_agreement  median pairwise Jaccard index of the capabilities of TodoMVC's variants (``todomvc``)
identity_precision, identity_recall
                   of "same screen": our ``State.structure`` against pairs labelled by hand (``pairs``)
locale_aligned     share of the controls that have their counterpart in the other language; median over Apps
locale_wrong       counterparts that are wrong in a sample that was checked by hand (``locales``)
memory_ratio       memory in the last quarter of a long crawl by that in its second (``endurance``)
orphans            processes left after SIGTERM

Everybody gets the same browser with the same flags, language, window size and network, the same logged-in
session, and an App restored to the same data. Nobody follows links that end the session. Clocks run from the
first page asked for to the last one dealt with, so starting App and browser costs nobody anything. A page
load is a document that was answered with a page; redirects and files do not count. Distinct states are
counted by our ``State.structure`` for all; for link followers by visiting their pages again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parent))

from contest import contest  # noqa: E402 - helpers lie beside this script
from endurance import memory, orphans  # noqa: E402
from locales import Alignment, align, locales  # noqa: E402
from pairs import identity  # noqa: E402
from sightings import watch  # noqa: E402
from table import rows  # noqa: E402
from todomvc import agreement  # noqa: E402

from crawlers.host import HostError  # noqa: E402
from crawlers.recipe import available, load  # noqa: E402
from schemas.app import App, Platform  # noqa: E402

FOLDER = ROOT / "data" / "runs" / "bench"
PARTS = ("apps", "versus", "todomvc", "identity", "locales", "memory")
RIVALS = ("bare", "crawlee", "scrapy", "monkey")
PACERS = ("bare", "crawlee")
"""Those beside whom speed is shown."""
LANGS = ("en", "zh-Hans")
LOCALE_ACTIONS = 60
LONG_APP = "trac"
"""It has more pages than a long crawl loads."""


def main() -> None:
    """Measure the parts that were asked for, write each down, print all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--app", action="append", help="Name or file of a recipe; default: the whole pool.")
    parser.add_argument("--loads", type=int, default=120, help="Page loads of each crawler (versus).")
    parser.add_argument("--long", type=int, default=500, help="Page loads of the long crawl (memory).")
    parser.add_argument("--actions", type=int, default=250, help="Actions of each crawl (apps).")
    given = parser.parse_args()
    apps = [app for app in map(load, given.app or available()) if app.platform is Platform.WEB]
    parts: Mapping[str, Callable[[], dict[str, Any]]] = {
        "apps": lambda: {"apps": rows(apps, given.actions, lambda found: write("apps", {"apps": found}))},
        "versus": lambda: versus(apps, given.loads, keep=lambda found: write("versus", found)),
        "todomvc": agreement,
        "identity": identity,
        "locales": lambda: locales(_aligned(apps)),
        "memory": lambda: {
            **memory(given.app[0] if given.app else LONG_APP, given.long),
            "orphans": orphans(apps[0].name),
        },
    }
    report: dict[str, Any] = {}
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in given.part or parts:
        found = parts[name]()
        write(name, found)
        report |= found
    print(json.dumps(report))


def write(part: str, found: Mapping[str, Any]) -> None:
    """Keep what a part has found beside the runs."""
    (FOLDER / f"web-{part}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def versus(apps: list[App], loads: int, keep: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """All crawlers on all these Apps, and the medians of how ours compares. It takes long, so what is known
    is kept after every App.
    """
    report: dict[str, Any] = {}
    found: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for app in apps:
        try:
            found[app.name] = contest(app, loads)
        except HostError as error:
            failed[app.name] = str(error)
        report = {"page_loads_each": loads, "versus": found, "not_compared": failed, **ratios(found)}
        keep(report)
    return report


def _aligned(apps: list[App]) -> dict[str, Alignment]:
    """What belongs together in the two languages of every App that speaks both."""
    found: dict[str, Alignment] = {}
    for app in apps:
        if not set(LANGS) <= set(app.languages):
            continue
        with TemporaryDirectory() as folder:
            try:
                one, two = (watch(app, lang, Path(folder), LOCALE_ACTIONS) for lang in LANGS)
            except HostError as error:
                sys.stderr.write(f"locales: {app.name}: {error}\n")
                continue
        found[app.name] = align(one, two)
    return found


def ratios(found: Mapping[str, Mapping[str, Any]]) -> dict[str, float | None]:
    """The medians over Apps; None where no App tells."""
    scores = [app["crawlers"] for app in found.values()]
    return {
        **{f"speed_vs_{rival}": _median(_speeds(scores, rival, "pages_s")) for rival in PACERS},
        **{f"screens_vs_{rival}": _median(_speeds(scores, rival, "screens_s")) for rival in PACERS},
        "writes_vs_best": _median(_against_best(scores, lambda score: len(score["writes"]))),
        "lines_vs_best": _median(_against_best(scores, lambda score: score["lines"] or 0)),
        "states_vs_best": _median(_against_best(scores, lambda score: score["states"])),
    }


Scores = Mapping[str, Mapping[str, Any]]


def _speeds(scores: list[Scores], rival: str, what: str) -> Iterator[float]:
    for each in scores:
        if each["ours"][what] and each[rival][what]:
            yield each["ours"][what] / each[rival][what]


def _against_best(scores: list[Scores], count: Callable[[Mapping[str, Any]], int]) -> Iterator[float]:
    """Ours by the best rival's; a rival with none counts as one, so that the ratio is no division by zero."""
    for each in scores:
        best = max(count(each[rival]) for rival in RIVALS)
        if best or count(each["ours"]):
            yield count(each["ours"]) / max(1, best)


def _median(values: Iterator[float]) -> float | None:
    found = list(values)
    return round(median(found), 4) if found else None


if __name__ == "__main__":
    main()

"""``make bench-desktop [APPS="…"]``: desktop programs, measured. The last line is one JSON object.

Program by program; what is known is kept in ``data/runs/bench-desktop/report.json`` after each step, so that
nothing is lost when it is stopped, and ``--keep`` goes on from there.

apps              per program and language: nodes, dump_ms (median), and what a short crawl finds: states,
                  transitions, atomic capabilities, effects by class; then proven tasks of longer crawls
crawled_apps, crawled_languages
proven, proven_not_en
reexecuted        share of the published tasks that ``prove --again`` proves again
do_nothing        share of them that an agent solves that does nothing
dump_ratio        median time of our dump by that of the faster of pyatspi and dogtail on the same windows;
                  the largest of all programs; null where both are missing
as_many_nodes     whether ours found at least as many objects everywhere
clicks            see ``click_points.py``: targets that people looked at, taken again; left out where programs
                  or a part are named
click_accuracy    the share of them whose point is one that was looked at and lies in the control
toolkits          of the programs that were run
exchange          see ``exchange.py``: how many of the tasks that need two programs side by side are proven;
                  left out where programs or another part are named
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

import click_points  # noqa: E402
import exchange  # noqa: E402
from counts import counts  # noqa: E402

from crawlers.desktop.driver import DesktopDriver  # noqa: E402
from crawlers.desktop.home import environment  # noqa: E402
from crawlers.desktop.host import DesktopHost  # noqa: E402
from crawlers.explore import Budget, explore  # noqa: E402
from crawlers.host import HostError  # noqa: E402
from crawlers.recipe import available, load  # noqa: E402
from pipeline.commands.again import published  # noqa: E402
from pipeline.corpus.images import ImageStore  # noqa: E402
from pipeline.corpus.query import query  # noqa: E402
from pipeline.order import find  # noqa: E402
from pipeline.proof.agents import do_nothing  # noqa: E402
from pipeline.verdicts.verify import verify  # noqa: E402
from pipeline.workshop import Workshop  # noqa: E402
from schemas.app import App  # noqa: E402
from schemas.trajectory import Trajectory  # noqa: E402
from schemas.verdict import Decision  # noqa: E402

GROUNDSMITH = (sys.executable, "-c", "from pipeline.cli import main; main()")
LANGS = ("en", "zh-Hans", "de", "ja", "ar")
WRITTEN = ("en", "zh-Hans")
"""Those that instructions are written in without a model."""
EXPLORED = 40
"""Actions of a crawl that nothing is proven of."""
PARTS = ("trees", "crawls", "runs")
"""What is measured of every program."""
EXCHANGE = "exchange"
KEPT = ROOT / "data" / "runs" / "bench-desktop" / "report.json"
OTHERS = ("pyatspi", "dogtail")
TIMES = 7
PYTHON = "/usr/bin/python3"


def main() -> None:
    """Run, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("apps", nargs="*")
    arguments.add_argument("--actions", type=int, default=100)
    arguments.add_argument("--tasks", type=int, default=12, help="Plans of one program and language at most.")
    arguments.add_argument("--keep", action="store_true", help="Leave out what the kept report has.")
    arguments.add_argument(
        "--part", choices=(*PARTS, EXCHANGE), action="append", help="Measure this part alone."
    )
    given = arguments.parse_args()
    apps = [load(name) for name in given.apps or available()]
    apps = [app for app in apps if app.desktop and (given.apps or not app.desktop.also)]
    measures = {
        "trees": _trees,
        "crawls": _crawls,
        "runs": lambda app: _run(app, given.actions, given.tasks),
    }
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if given.keep and KEPT.exists() else {}
    for app in apps if given.part != [EXCHANGE] else ():
        known = kept.setdefault(app.name, {})
        for part in PARTS:
            if part in (given.part or PARTS) and part not in known:
                known[part] = measures[part](app)
                _keep(kept)
    clicks = {} if given.part or given.apps else click_points.accuracy()
    whole = not given.part and not given.apps
    exchanged = exchange.proven() if whole or EXCHANGE in (given.part or ()) else {}
    report = {"clicks": clicks, "click_accuracy": clicks.get("accuracy"), EXCHANGE: exchanged}
    print(json.dumps({**_report(kept), **report}))


def _keep(kept: dict[str, Any]) -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False), encoding="utf-8")


def _report(kept: dict[str, Any]) -> dict[str, Any]:
    done = [parts["runs"] for parts in kept.values() if "proven" in parts.get("runs", {})]
    beside = [parts["trees"] for parts in kept.values() if parts.get("trees", {}).get("ratio")]
    proven = sum(run["proven"] for run in done)
    toolkits = {app.desktop.toolkit for app in map(load, kept) if app.desktop}
    crawled = {
        name: [lang for lang, found in parts.get("crawls", {}).items() if "states" in found]
        for name, parts in kept.items()
    }
    return {
        "apps": {name: _row(parts) for name, parts in kept.items()},
        "crawled_apps": sum(map(bool, crawled.values())),
        "crawled_languages": sorted({lang for langs in crawled.values() for lang in langs}),
        "toolkits": sorted(toolkits),
        "proven": proven,
        "proven_apps": sum(run["proven"] > 0 for run in done),
        "proven_not_en": sum(run["proven"] - run["by_lang"].get("en", 0) for run in done),
        "reexecuted": round(sum(run["again"] for run in done) / proven, 4) if proven else None,
        "do_nothing": round(sum(run["idle"] for run in done) / proven, 4) if proven else None,
        "dump_ratio": max((tree["ratio"] for tree in beside), default=None),
        "as_many_nodes": all(tree["as_many"] for tree in beside),
    }


def _row(parts: dict[str, Any]) -> dict[str, Any]:
    """One program: per language its tree and its crawl, then all else."""
    trees, crawls = parts.get("trees", {}), parts.get("crawls", {})
    read = trees.get("languages", {})
    languages = {lang: {**read.get(lang, {}), **crawls.get(lang, {})} for lang in {**read, **crawls}}
    return {**trees, "languages": languages, **parts.get("runs", {})}


def _spoken(app: App, langs: Sequence[str]) -> list[str]:
    """Those of the languages that a program has."""
    return [lang for lang in langs if lang in app.languages]


def _crawls(app: App) -> dict[str, Any]:
    """What a short crawl finds in every language."""
    found: dict[str, Any] = {}
    for lang in _spoken(app, LANGS):
        _say(f"{app.name} in {lang}: crawl")
        begun = time.monotonic()
        try:
            with DesktopHost(app, lang) as host, TemporaryDirectory() as images:
                budget = Budget(actions=EXPLORED)
                graph = explore(host, budget=budget, seed=0, images=ImageStore(images))
        except HostError as error:
            found[lang] = {"error": str(error)}
            continue
        found[lang] = {**counts(graph), "seconds": round(time.monotonic() - begun, 1)}
    return found


def _trees(app: App) -> dict[str, Any]:
    """Nodes and dump times in every language, and beside pyatspi and dogtail in the first one."""
    found: dict[str, Any] = {"languages": {}}
    for lang in _spoken(app, LANGS):
        _say(f"{app.name} in {lang}")
        try:
            with DesktopHost(app, lang) as host, ExitStack() as stack:
                driver = host.driver()
                others = [stack.enter_context(_other(app, host, client)) for client in OTHERS]
                dumps = [partial(_dump, driver), *others] if lang == "en" else [partial(_dump, driver)]
                # Turn by turn, so that what else the machine does slows all alike.
                turns = [[dump() for dump in dumps] for _ in range(TIMES)]
        except HostError as error:
            found["languages"][lang] = {"error": str(error)}
            continue
        ours, *theirs = (_told(column) for column in zip(*turns, strict=True))
        found["languages"][lang] = ours
        if lang == "en":
            found |= _beside(ours, {name: told for name, told in zip(OTHERS, theirs, strict=True) if told})
    return found


Dump = Mapping[str, float]
"""``ms`` and ``nodes`` of one dump; empty where the client is not there."""


def _dump(driver: DesktopDriver) -> Dump:
    begun = time.monotonic()
    screens = driver._session.read()
    return {
        "ms": 1000 * (time.monotonic() - begun),
        "nodes": sum(len(screen.nodes) for screen in screens),
    }


@contextmanager
def _other(app: App, host: DesktopHost, client: str) -> Iterator[Callable[[], Dump]]:
    """Another client, which dumps the same windows whenever it is asked to."""
    env = environment(app, "en", home=host.home, runtime=host._room.runtime, display=host._screen.name)
    argv = [PYTHON, str(Path(__file__).with_name("dump_pyatspi.py")), client]
    pipes: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.DEVNULL,
    }
    with subprocess.Popen(argv, env=env, text=True, **pipes) as process:

        def dump() -> Dump:
            with suppress(BrokenPipeError):
                process.stdin.write("\n")
                process.stdin.flush()
            told = (line for line in process.stdout if line.startswith("{"))  # it may say other things, too
            return json.loads(next(told, "{}"))

        try:
            yield dump
        finally:
            process.kill()
            with suppress(BrokenPipeError):  # it may have ended before it was asked
                process.stdin.close()


def _told(dumps: Sequence[Dump]) -> dict[str, Any]:
    """The median time, and the objects of the last dump; empty where there was none."""
    if not all(dumps):
        return {}
    return {
        "nodes": dumps[-1]["nodes"],
        "dump_ms": round(statistics.median(dump["ms"] for dump in dumps), 1),
    }


def _beside(ours: dict[str, Any], others: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """How ours compares with the same windows read by others, as far as they are there."""
    if not others:
        return {"ratio": None}
    fastest = min(others.values(), key=lambda other: other["dump_ms"])
    return {
        "others": others,
        "ratio": round(ours["dump_ms"] / fastest["dump_ms"], 3),
        "as_many": ours["nodes"] >= max(other["nodes"] for other in others.values()),
    }


def _run(app: App, actions: int, tasks: int) -> dict[str, Any]:
    folder = KEPT.parent / app.name
    shutil.rmtree(folder, ignore_errors=True)
    _say(f"{app.name}: crawl and prove")
    begun = time.monotonic()
    langs = [part for lang in _spoken(app, WRITTEN) for part in ("--lang", lang)]
    options = ["--model", "none", "--budget-actions", str(actions), "--out", str(folder), "--json"]
    env = {**os.environ, "GROUNDSMITH_COMPOSE__LIMIT": str(tasks)}
    done = subprocess.run([*GROUNDSMITH, "run", "--app", app.name, *langs, *options], check=False, env=env)
    if done.returncode not in {0, 3}:
        return {"error": f"exit code {done.returncode}"}
    spent = round(time.monotonic() - begun)
    again = subprocess.run(
        [*GROUNDSMITH, "prove", str(folder), "--again", "--json"],
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    by_lang = dict(query(folder, "SELECT lang, count(*) FROM tasks GROUP BY lang").rows)
    return {
        "proven": sum(by_lang.values()),
        "run_s": spent,
        "by_lang": by_lang,
        "again": json.loads(again.stdout.splitlines()[-1])["verified"] if by_lang else 0,
        "idle": _idle(folder) if by_lang else 0,
    }


def _idle(folder: Path) -> int:
    """How many published tasks are solved by doing nothing, which is the same for all of one language."""
    idle: dict[str, Trajectory] = {}
    with Workshop(folder, find(folder)).open() as workshop:
        solved = 0
        for task in published(workshop):
            plan = task.plan
            if plan.lang not in idle:
                host = workshop.pool.host(workshop.order.app(plan.app_id), plan.lang)
                idle[plan.lang] = do_nothing(task, host)
            solved += verify(plan.keypoints, idle[plan.lang]).decision is Decision.PASS
    return solved


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

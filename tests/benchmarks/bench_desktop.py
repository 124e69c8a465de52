"""``make bench-desktop [APPS="…"]``: desktop programs, measured. The last line is one JSON object.

apps              per program and language: nodes, dump_ms (median), states, transitions, atomic capabilities,
                  effects by class, proven tasks
proven, proven_not_en
reexecuted        share of the published tasks that ``prove --again`` proves again
do_nothing        share of them that an agent solves that does nothing
dump_ratio        median time of our dump by that of pyatspi on the same windows (the larger ratio of all
                  programs), and whether ours found at least as many objects; null where pyatspi is missing
toolkits          of the programs that were run
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

from crawlers.desktop.home import environment  # noqa: E402
from crawlers.desktop.host import DesktopHost  # noqa: E402
from crawlers.host import HostError  # noqa: E402
from crawlers.recipe import available, load  # noqa: E402
from pipeline.commands.again import published  # noqa: E402
from pipeline.corpus.query import query  # noqa: E402
from pipeline.order import find  # noqa: E402
from pipeline.proof.agents import attempt, do_nothing  # noqa: E402
from pipeline.workshop import Workshop  # noqa: E402
from schemas.app import App, Platform  # noqa: E402
from schemas.verdict import Decision  # noqa: E402

GROUNDSMITH = (sys.executable, "-c", "from pipeline.cli import main; main()")
LANGS = ("en", "zh-Hans", "de", "ja", "ar")
CRAWLED = ("en", "zh-Hans")
TIMES = 7
PYTHON = "/usr/bin/python3"


def main() -> None:
    """Run, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("apps", nargs="*")
    arguments.add_argument("--actions", type=int, default=80)
    arguments.add_argument("--keep", action="store_true", help="Measure the runs that are there already.")
    arguments.add_argument("--dumps", action="store_true", help="Measure the trees alone.")
    given = arguments.parse_args()
    apps = [load(name) for name in given.apps or available()]
    apps = [app for app in apps if app.platform is Platform.DESKTOP]
    trees = {app.name: _trees(app) for app in apps}
    runs = {} if given.dumps else {app.name: _run(app, given.actions, keep=given.keep) for app in apps}
    print(json.dumps(_report(apps, trees, runs)))


def _report(apps: list[App], trees: dict[str, Any], runs: dict[str, Any]) -> dict[str, Any]:
    done = [run for run in runs.values() if "proven" in run]
    proven = sum(run["proven"] for run in done)
    ratios = [tree["ratio"] for tree in trees.values() if tree.get("ratio")]
    return {
        "apps": {app.name: {**trees[app.name], **runs.get(app.name, {})} for app in apps},
        "toolkits": sorted({app.desktop.toolkit for app in apps if app.desktop}),
        "proven": proven,
        "proven_not_en": sum(run["proven"] - run["by_lang"].get("en", 0) for run in done),
        "reexecuted": round(sum(run["again"] for run in done) / proven, 4) if proven else None,
        "do_nothing": round(sum(run["idle"] for run in done) / proven, 4) if proven else None,
        "dump_ratio": max(ratios) if ratios else None,
    }


def _trees(app: App) -> dict[str, Any]:
    """Nodes and dump times in every language, and beside pyatspi in the first one."""
    found: dict[str, Any] = {"languages": {}}
    for lang in (lang for lang in LANGS if lang in app.languages):
        _say(f"{app.name} in {lang}")
        try:
            with DesktopHost(app, lang) as host:
                driver = host.driver()
                spent = []
                for _ in range(TIMES):
                    begun = time.monotonic()
                    screen = driver._session.read()
                    spent.append(1000 * (time.monotonic() - begun))
                ours = {"nodes": len(screen.nodes), "dump_ms": round(statistics.median(spent), 1)}
                found["languages"][lang] = ours
                if lang == "en":
                    found |= _beside(app, host, ours)
        except HostError as error:
            found["languages"][lang] = {"error": str(error)}
    return found


def _beside(app: App, host: DesktopHost, ours: dict[str, Any]) -> dict[str, Any]:
    """The same windows read by pyatspi and dogtail, as far as they are there."""
    env = environment(app, "en", home=host.home, runtime=host._room.runtime, display=host._screen.name)
    script = str(Path(__file__).with_name("dump_pyatspi.py"))
    others = {}
    for client in ("pyatspi", "dogtail"):
        argv = [PYTHON, script, client, str(TIMES)]
        done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode == 0:
            read = json.loads(done.stdout.splitlines()[-1])
            others[client] = {"nodes": read["nodes"], "dump_ms": round(statistics.median(read["ms"]), 1)}
    if not others:
        return {"ratio": None}
    fastest = min(others.values(), key=lambda other: other["dump_ms"])
    return {
        "others": others,
        "ratio": round(ours["dump_ms"] / fastest["dump_ms"], 3),
        "as_many": ours["nodes"] >= max(other["nodes"] for other in others.values()),
    }


def _run(app: App, actions: int, *, keep: bool) -> dict[str, Any]:
    folder = ROOT / "data" / "runs" / "bench-desktop" / app.name
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    langs = [part for lang in CRAWLED if lang in app.languages for part in ("--lang", lang)]
    options = ["--model", "none", "--budget-actions", str(actions), "--out", str(folder), "--json"]
    done = subprocess.run([*GROUNDSMITH, "run", "--app", app.name, *langs, *options], check=False)
    if done.returncode not in {0, 3}:
        return {"error": f"exit code {done.returncode}"}
    again = subprocess.run(
        [*GROUNDSMITH, "prove", str(folder), "--again", "--json"],
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    by_lang = dict(query(folder, "SELECT lang, count(*) FROM tasks GROUP BY lang").rows)
    return {
        "proven": sum(by_lang.values()),
        "by_lang": by_lang,
        "again": json.loads(again.stdout.splitlines()[-1])["verified"] if by_lang else 0,
        "idle": _idle(folder) if by_lang else 0,
        **_graph(folder),
    }


def _graph(folder: Path) -> dict[str, Any]:
    crawls = query(folder, "SELECT lang, states, transitions FROM crawls").rows
    atomic = "SELECT lang, count(*) FROM functions WHERE level = 'atomic' GROUP BY lang"
    effects = "SELECT effect, count(*) FROM edges GROUP BY effect ORDER BY effect"
    return {
        "crawls": {lang: {"states": states, "transitions": moves} for lang, states, moves in crawls},
        "atomic": dict(query(folder, atomic).rows),
        "effects": dict(query(folder, effects).rows),
    }


def _idle(folder: Path) -> int:
    """How many published tasks are solved by doing nothing."""
    with Workshop(folder, find(folder)).open() as workshop:
        solved = 0
        for task in published(workshop):
            host = workshop.pool.host(workshop.order.app(task.plan.app_id), task.plan.lang)
            solved += attempt(task, host, do_nothing).decision is Decision.PASS
    return solved


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

"""``make bench-spine [APP=…]``: a fresh run of one app, measured. The last line is one JSON object.

proven, proven_zh         published tasks, and those in Chinese
rejected                  stage/reason → items
reexecuted                share of the published tasks that ``prove --again`` proves again
do_nothing, random        share of them that an agent solves that does nothing, that clicks 15 times at random
routes_ours, routes_links share of the app's own routes that our crawl of its first language exercised, and
                          that a plain link-following crawl did with as many page loads (null without a table)
overhead_share            our share of the wall time of a crawl made alone: CPU time of our process, waiting
                          not counted; the rest is app and browser
cpu_s_per_task, seconds   of the run: CPU of all processes by proven task, wall time
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parent))

from cost import measured  # noqa: E402 - helpers lie beside this script
from links import follow_links  # noqa: E402

from crawlers.explore import Budget, explore  # noqa: E402
from crawlers.web.host import WebHost  # noqa: E402
from crawlers.web.rules import reach  # noqa: E402
from pipeline.commands.again import published  # noqa: E402
from pipeline.corpus.images import ImageStore  # noqa: E402
from pipeline.corpus.query import query  # noqa: E402
from pipeline.memory import Memory  # noqa: E402
from pipeline.order import find  # noqa: E402
from pipeline.proof.agents import Agent, attempt, clicker, do_nothing  # noqa: E402
from pipeline.workshop import Workshop  # noqa: E402
from schemas.graph import FunctionGraph  # noqa: E402
from schemas.task import Task  # noqa: E402
from schemas.verdict import Decision  # noqa: E402

LONE_ACTIONS = 120
"""Of the crawl by which our own share is measured."""

GROUNDSMITH = (sys.executable, "-c", "from pipeline.cli import main; main()")


def main() -> None:
    """Run, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--app", default="ihatemoney")
    arguments.add_argument("--keep", action="store_true", help="Measure the run that is there already.")
    given = arguments.parse_args()
    folder = ROOT / "data" / "runs" / "bench" / given.app
    timing = folder.with_name(f"{given.app}-timing.json")
    if not given.keep:
        _fresh_run(given.app, folder, timing)
    report = {**_agents(folder), **_coverage(folder), **json.loads(timing.read_text())}
    report = {"app": given.app, **_counts(folder, report["cpu_s"]), **report}
    folder.with_name(f"{given.app}.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report))


def _fresh_run(app: str, folder: Path, timing: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    spent = measured([*GROUNDSMITH, "run", "--app", app, "--out", str(folder), "--json"])
    if spent.code:
        sys.exit(f"the run ended with exit code {spent.code}")
    again = measured([*GROUNDSMITH, "prove", str(folder), "--again", "--json"])
    proved_again = json.loads(again.output.splitlines()[-1])
    _say(f"proven again: {proved_again['verified']} of {proved_again['tasks']}; {proved_again['failed']}")
    times = {
        "reexecuted": round(proved_again["rate"], 4),
        "cpu_s": round(spent.cpu_s, 1),
        "seconds": round(spent.seconds, 1),
    }
    timing.write_text(json.dumps(times))


def _counts(folder: Path, cpu_s: float) -> dict[str, Any]:
    by_lang = dict(query(folder, "SELECT lang, count(*) FROM tasks GROUP BY lang").rows)
    reasons = "SELECT stage || '/' || reason, count(*) FROM rejects GROUP BY 1 ORDER BY 1"
    rejected = query(folder, reasons).rows
    proven = sum(by_lang.values())
    return {
        "proven": proven,
        "proven_zh": sum(count for lang, count in by_lang.items() if str(lang).startswith("zh")),
        "rejected": dict(rejected),
        "cpu_s_per_task": round(cpu_s / proven, 2) if proven else None,
    }


def _agents(folder: Path) -> dict[str, float]:
    with Workshop(folder, find(folder)).open() as workshop:
        tasks = published(workshop)
        return {
            "do_nothing": _success(workshop, tasks, do_nothing),
            "random": _success(workshop, tasks, clicker),
        }


def _success(workshop: Workshop, tasks: Sequence[Task], agent: Agent) -> float:
    _say(f"{agent.__name__}: {len(tasks)} tasks")
    solved = 0
    for task in tasks:
        host = workshop.pool.host(workshop.order.app(task.plan.app_id), task.plan.lang)
        solved += attempt(task, host, agent).decision is Decision.PASS
    return round(solved / len(tasks), 4) if tasks else 0.0


def _coverage(folder: Path) -> dict[str, Any]:
    workshop = Workshop(folder, find(folder))
    graphs = list(Memory(execute=False).items(workshop.flow.graphs))
    return {"overhead_share": _overhead(workshop, graphs[0]), **_routes(workshop, graphs[0])}


def _overhead(workshop: Workshop, graph: FunctionGraph) -> float:
    budget = Budget(actions=LONE_ACTIONS)
    with TemporaryDirectory() as images, WebHost(workshop.order.app(graph.app_id), graph.lang) as host:
        _say(f"crawling alone: {budget.actions} actions")
        used, began = time.process_time(), time.monotonic()
        explore(host, budget=budget, seed=0, images=ImageStore(images))
        return round((time.process_time() - used) / (time.monotonic() - began), 4)


def _routes(workshop: Workshop, graph: FunctionGraph) -> dict[str, Any]:
    app = workshop.order.app(graph.app_id)
    loads = graph.coverage.page_loads
    with WebHost(app, graph.lang) as host:
        table = host.routes()
        if not table:
            return {"routes_ours": None, "routes_links": None}
        _say(f"following links: {loads} page loads")
        links = follow_links(host, loads)
    return {
        "routes_ours": round(reach(table, app.unlinked, graph.coverage.routes).share, 4),
        "routes_links": round(reach(table, app.unlinked, links).share, 4),
        "page_loads": loads,
    }


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

"""The whole flow on the App in memory: what comes out, on both runners, again, and after a violent death."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.corpus.layout import MANIFEST, load_manifest
from pipeline.corpus.query import query
from pipeline.memory import Memory, Tick
from pipeline.workshop import Workshop
from schemas.tables import TABLES
from schemas.verdict import Decision

Make = Callable[..., Workshop]
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from conftest import scripted_workshop
with scripted_workshop(Path(sys.argv[1])).open() as workshop:
    workshop.make("verdicts")
"""


def ids(workshop: Workshop, memory: Memory) -> dict[str, list[str]]:
    """Every id of every pile, in order."""
    flow = workshop.flow
    graphs = list(memory.items(flow.graphs))
    return {
        "states": [state.id for graph in graphs for state in graph.states],
        "edges": [edge.id for graph in graphs for edge in graph.transitions],
        "capabilities": [node.id for tree in memory.items(flow.trees) for node in tree.nodes],
        "plans": [plan.id for plan in memory.items(flow.plans)],
        "tasks": [task.id for task in memory.items(flow.tasks)],
        "proofs": [each.proof.id for each in memory.items(flow.proved)],
        "runs": [run.id for each in memory.items(flow.proved) for run in each.trajectories],
        "verdicts": [verdict.id for verdict in memory.items(flow.verdicts)],
        "rejections": [rejection.id for rejection in memory.rejections(flow.verdicts)],
    }


def read(workshop: Workshop) -> dict[str, list[str]]:
    return ids(workshop, Memory(execute=False))


def test_tasks_in_both_languages_are_proven_and_published(published_run: Path) -> None:
    counts = dict(query(published_run, "SELECT lang, count(*) FROM tasks GROUP BY lang").rows)
    assert set(counts) == {"en", "zh-Hans"}
    assert min(counts.values()) >= 3
    manifest = load_manifest(published_run)
    assert manifest.counts["trajectories"] == 2 * manifest.counts["tasks"]
    assert manifest.funnel["compose"] >= manifest.funnel["instruct"] >= manifest.funnel["prove"] > 0


def test_only_tasks_whose_trajectories_all_passed_are_published(published_run: Path) -> None:
    decisions = "SELECT decision FROM trajectories LEFT JOIN verdicts USING (trajectory_id)"
    assert {row[0] for row in query(published_run, decisions).rows} == {Decision.PASS.value}


def test_on_beam_every_table_has_the_same_ids(
    tmp_path: Path, published_run: Path, scripted_workshop: Make
) -> None:
    with scripted_workshop(tmp_path / "beam", "beam").open() as workshop:
        memory = workshop.make("verdicts")
        workshop.publish(memory)
        assert ids(workshop, memory) == read(scripted_workshop(published_run))
    for table in set(TABLES) - {"runs", "files"}:
        there, here = (rows(folder, table) for folder in (tmp_path / "beam", published_run))
        assert there == here, table


def rows(folder: Path, table: str) -> list[tuple[str, ...]]:
    """A table's rows; how long something took is no part of what was found."""
    answer = query(folder, f"FROM {table}", limit=1_000_000)
    timed = {place for place, name in enumerate(answer.columns) if name in {"wall_s", "ms"}}
    return sorted(
        tuple(str(value) for place, value in enumerate(row) if place not in timed) for row in answer.rows
    )


def test_a_second_run_makes_nothing_and_leaves_the_publication_alone(
    published_run: Path, scripted_workshop: Make
) -> None:
    before = (published_run / MANIFEST).read_bytes()
    ticks: list[Tick] = []
    with scripted_workshop(published_run).open() as workshop:
        memory = workshop.make("verdicts", ticks.append)
        manifest = workshop.publish(memory)
    assert {tick.what for tick in ticks} == {"reused"}
    assert (published_run / MANIFEST).read_bytes() == before
    assert manifest == load_manifest(published_run)


def test_a_goal_on_the_way_leaves_the_rest_undone(tmp_path: Path, scripted_workshop: Make) -> None:
    ticks: list[Tick] = []
    with scripted_workshop(tmp_path).open() as workshop:
        workshop.make("trees", ticks.append)
    assert {tick.stage for tick in ticks} == {"crawl", "mine"}
    assert not (tmp_path / "plans").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder, files",
    [("graphs", 1), ("tasks", 5), ("trajectories", 3)],
    ids=["crawling", "writing", "proving"],
)
def test_killed_at_any_moment_the_same_command_ends_with_the_same_ids(
    tmp_path: Path, published_run: Path, scripted_workshop: Make, folder: str, files: int
) -> None:
    kill_when(tmp_path, folder, files)
    ticks: list[Tick] = []
    with scripted_workshop(tmp_path).open() as workshop:
        memory = workshop.make("verdicts", ticks.append)
        assert ids(workshop, memory) == read(scripted_workshop(published_run))
        workshop.publish(memory)
    assert "reused" in {tick.what for tick in ticks}
    assert not list(tmp_path.rglob(".*.part"))
    for table, key in (("tasks", "task_id"), ("trajectories", "trajectory_id"), ("states", "state_id")):
        counted = query(tmp_path, f"SELECT count(*), count(DISTINCT {key}) FROM {table}").rows[0]  # noqa: S608
        assert counted[0] == counted[1] > 0, table


def kill_when(root: Path, folder: str, files: int) -> None:
    """Run the flow in a process of its own and kill it as soon as a folder holds so many outcomes."""
    program = PROGRAM.format(tests=str(ROOT / "tests"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", program, str(root)], env=environment) as process:
        while len(list((root / folder).glob("*.gz"))) < files:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait(60) == -signal.SIGKILL

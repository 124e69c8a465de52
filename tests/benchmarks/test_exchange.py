"""The exchange tasks; that all of them are proven is for ``bench_desktop --part exchange`` to show."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import exchange

from crawlers import debian
from crawlers.desktop.host import DesktopHost
from crawlers.desktop.setup import NEEDED
from crawlers.recipe import load
from crawlers.replay import replay
from pipeline.proof.execution import beginning
from pipeline.verdicts.verify import verify
from schemas.action import target_of
from schemas.task import Task
from schemas.trajectory import Policy
from schemas.verdict import Decision

TASKS = tuple(exchange.tasks())


def places(task: Task) -> set[str]:
    """Programs that a step of the path is for."""
    targets = [target_of(action) for action in task.plan.path]
    return {target.key.partition("/")[0] for target in targets if target}


def test_there_are_five_in_several_languages() -> None:
    assert len(TASKS) >= 5
    assert len({task.plan.lang for task in TASKS}) >= 2
    assert len({task.id for task in TASKS}) == len(TASKS)


@pytest.mark.parametrize("task", TASKS, ids=[task.plan.name for task in TASKS])
def test_each_needs_two_programs_of_its_recipe_and_has_near_misses(task: Task) -> None:
    desktop = load(task.plan.app).desktop
    assert desktop is not None
    assert places(task) == {program.name for program in desktop.programs}
    assert len(task.plan.near_misses) >= 1
    assert all(miss.path != task.plan.path for miss in task.plan.near_misses)


@pytest.mark.slow
def test_what_a_calculator_found_is_saved_by_an_editor_and_less_is_not_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*NEEDED, "galculator", "l3afpad"):
        if not debian.has(name):
            pytest.skip(f"the Debian package {name} is missing; make setup-desktop installs it")
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path / "cache"))
    (task,) = exchange.tasks(["product-into-notes"])
    plan = task.plan
    with DesktopHost(load(plan.app), plan.lang) as host:
        done = replay(host, plan.path, task=task.id, policy=Policy.REFERENCE)
    assert done.end == "finished"
    assert verify(plan.keypoints, done).decision is Decision.PASS
    for length in range(len(plan.path)):
        less = beginning(done, length, Policy.ABLATION)
        assert verify(plan.keypoints, less).decision is Decision.FAIL

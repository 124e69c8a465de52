from __future__ import annotations

from typing import Any

import pytest

from crawlers.driver import DriverError
from pipeline.errors import ConfigError
from pipeline.proof.again import again
from pipeline.proof.agents import RANDOM_STEPS, attempt, clicker, do_nothing
from schemas.action import Click, Finish, Respond
from schemas.trajectory import Policy
from schemas.verdict import Decision


def test_doing_nothing_fails_every_task(world: Any) -> None:
    host = world.pool.host(world.app, "en")
    for task in (world.add_task(), world.delete_task(), world.visit_task()):
        assert attempt(task, host, do_nothing).decision is Decision.FAIL


def test_the_clicker_is_the_same_for_the_same_seed_and_not_for_another(world: Any) -> None:
    host, task = world.pool.host(world.app, "en"), world.visit_task()
    one, two, other = clicker(task, host, 1), clicker(task, host, 1), clicker(task, host, 2)
    assert one.id == two.id
    assert one.last.id == two.last.id
    assert one.id != other.id
    assert one.policy is Policy.RANDOM
    assert len(one.observations) == len(one.steps) + 1
    assert len(one.steps) == RANDOM_STEPS + 1
    assert isinstance(one.steps[-1].action, Finish)
    assert {type(step.action) for step in one.steps[:-1]} <= {Click, Respond}


def test_the_clicker_may_succeed_where_one_click_is_enough(world: Any) -> None:
    """Else a rate of zero would say nothing about the tasks."""
    host = world.pool.host(world.app, "en")
    there = world.visit_task().plan.keypoints[0].model_copy(update={"final": False})
    task = world.visit_task(keypoints=(there,))
    assert Decision.PASS in {attempt(task, host, clicker, seed).decision for seed in range(5)}


def test_a_click_that_fails_is_a_step_and_a_dead_session_ends_the_episode(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, task = world.pool.host(world.app, "en"), world.visit_task()
    for kind, steps, end in (("blocked", RANDOM_STEPS, "finished"), ("crashed", 1, "error")):

        def fail(*_: object, kind: str = kind) -> None:
            raise DriverError(kind, "no")  # type: ignore[arg-type]

        monkeypatch.setattr("crawlers.scripted.ScriptedDriver.perform", fail)
        done = clicker(task, host)
        assert len(done.steps) == steps + 1
        assert done.steps[0].status == "failed"
        assert done.end == end


def test_again_says_of_every_task_whether_it_still_holds(world: Any) -> None:
    stale = world.add_task(path=world.adding("Butter")).model_copy(update={"id": "tk_stale"})
    broken = world.add_task(path=(world.save,)).model_copy(update={"id": "tk_broken"})
    tasks = [world.add_task(), stale, broken]
    records = list(again(tasks, pool=world.pool, apps=[world.app]))
    assert [(record.task, record.verified) for record in records] == [
        ("tk_add", True),
        ("tk_stale", False),
        ("tk_broken", False),
    ]
    assert "name='Bread' was not sent" in records[1].reason
    assert "target_missing" in records[2].reason


def test_again_reports_a_broken_environment_and_goes_on(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:

        def crash(*_: object) -> None:
            raise DriverError("crashed", "gone")

        broken.setattr("crawlers.scripted.ScriptedDriver.observe", crash)
        records = list(again([world.add_task()] * 2, pool=world.pool, apps=[world.app]))
    assert [record.verified for record in records] == [False, False]
    assert "cannot be read" in records[0].reason


def test_a_task_without_its_recipe_is_a_mistake_of_the_caller(world: Any) -> None:
    with pytest.raises(ConfigError, match="recipe"):
        list(again([world.add_task(app_id="ap_other")], pool=world.pool, apps=[world.app]))

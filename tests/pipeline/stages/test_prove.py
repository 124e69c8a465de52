from __future__ import annotations

import pickle
from typing import Any

import pytest

from crawlers.driver import DriverError
from pipeline.errors import ConfigError
from pipeline.stage import run
from pipeline.stages import prove
from pipeline.stages.prove import Prove
from schemas.proof import Candidate, Check, Fault, Gate, Proved
from schemas.record import image_id
from schemas.rejection import Rejection
from schemas.task import Forbidden, NearMiss, Shown, Task
from schemas.trajectory import Policy

SIFTED = (Check(gate=Gate.GROUNDED, passed=True),)


@pytest.fixture
def proved(world: Any) -> Any:
    """What becomes of one task."""

    def outcome(task: Task) -> Proved | Rejection:
        stage = Prove(pool=world.pool, apps=(world.app,), images=world.keep)
        results = list(run(stage, [Candidate(task=task, checks=SIFTED)]))
        assert len(results) == 1
        return results[0]

    return outcome


def test_a_good_task_is_proved_with_two_replays_and_their_screenshots(world: Any, proved: Any) -> None:
    for task in (world.add_task(), world.delete_task()):
        result = proved(task)
        assert isinstance(result, Proved)
        assert result.task == task
        assert [check.gate for check in result.proof.checks] == [
            Gate.GROUNDED,
            Gate.FRESH,
            Gate.REPLAYED,
            Gate.NECESSARY,
            Gate.DISCRIMINATING,
        ]
        assert all(check.passed for check in result.proof.checks)
        made = [made for check in result.proof.checks for made in check.executions]
        assert all(execution.verified == execution.expected for execution in made)
        assert [execution.verified for execution in made].count(True) == 2
        assert [done.policy for done in result.trajectories] == [Policy.REFERENCE] * 2
        assert [done.attempt for done in result.trajectories] == [0, 1]
        assert {state.image for done in result.trajectories for state in done.observations} <= set(
            world.images
        )


def test_the_same_task_has_the_same_proof(world: Any, proved: Any) -> None:
    one, two = proved(world.add_task()), proved(world.add_task())
    assert one.proof == two.proof
    assert [done.id for done in one.trajectories] == [done.id for done in two.trajectories]


def test_a_trimmed_path_is_proved_anew(world: Any, proved: Any) -> None:
    to_form, name, amount, save = world.adding()
    slots = tuple(slot.model_copy(update={"step": slot.step + 1}) for slot in world.add_plan().slots)
    result = proved(world.add_task(path=(to_form, world.food, name, amount, save), slots=slots))
    assert isinstance(result, Proved)
    assert result.task.id == "tk_add"
    assert result.task.plan.path == world.adding()
    assert all(len(done.steps) == 5 for done in result.trajectories)
    assert result.proof.checks[2].executions[0].trajectory == result.trajectories[0].id


@pytest.mark.parametrize(
    "changes, gate",
    [
        ({"keypoints": (Forbidden(id="k", allowed=("POST /items/add",)),)}, "fresh"),
        ({"keypoints": (Shown(id="k", text="Butter"),)}, "replayed"),
        ({"keypoints": (Shown(id="k", text="Bread"),)}, "necessary"),
    ],
)
def test_a_task_falls_at_the_first_gate_that_it_fails(
    world: Any, proved: Any, changes: Any, gate: str
) -> None:
    if gate == "necessary":
        changes = {**changes, "path": (*world.adding()[:3], world.tools, world.save)}
        changes["slots"] = (
            world.add_plan().slots[0].model_copy(update={"parameter": "category", "step": 3}),
        )
    result = proved(world.add_task(**changes))
    assert isinstance(result, Rejection)
    assert (result.stage, result.item, result.reason) == ("prove", "tk_add", gate)
    assert result.fault is Fault.TASK
    assert result.text == "Add “Bread” to the items, with Amount 4."


def test_a_verifier_that_takes_a_near_miss_is_refused(world: Any, proved: Any) -> None:
    loose = tuple(point for point in world.added if point.id in {"kp_name", "kp_amount", "kp_shown"})
    twice = NearMiss(kind="done_twice", detail="again", path=world.adding() * 2)
    result = proved(world.add_task(keypoints=loose, near_misses=(twice,)))
    assert isinstance(result, Rejection)
    assert result.reason == "discriminating"
    assert "done_twice" in result.detail


def test_a_dead_environment_is_nobodys_fault(
    world: Any, proved: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise DriverError("crashed", "gone")

    monkeypatch.setattr("crawlers.scripted.ScriptedDriver.perform", crash)
    result = proved(world.add_task())
    assert isinstance(result, Rejection)
    assert result.fault is Fault.ENVIRONMENT
    assert "failed while a task was executed" in result.detail


def test_a_task_without_its_recipe_is_a_mistake_of_the_caller(world: Any, proved: Any) -> None:
    with pytest.raises(ConfigError, match="recipe"):
        proved(world.add_task(app_id="ap_other"))


def test_doing_nothing_is_executed_once_for_all_tasks_of_a_host(
    world: Any, proved: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove, "_idle", {})
    asked: list[int] = []
    real = prove.replay

    def counting(*args: Any, **kwargs: Any) -> Any:
        asked.append(1)
        return real(*args, **kwargs)

    monkeypatch.setattr(prove, "replay", counting)
    proved(world.add_task())
    proved(world.delete_task())
    assert len(asked) == 1


def test_the_stage_travels(world: Any) -> None:
    stage = Prove(pool=None, apps=(world.app,), images=image_id)  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(stage)) == stage  # noqa: S301

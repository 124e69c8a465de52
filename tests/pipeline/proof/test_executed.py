"""The gates that execute, on the scripted App: each says yes to a good task and no for the right reason."""

from __future__ import annotations

from typing import Any

import pytest

from crawlers.driver import DriverError
from crawlers.host import HostError
from crawlers.replay import replay
from crawlers.scripted import ScriptedDriver
from pipeline.proof import discriminating, fresh, mutate, necessary, replayed
from schemas.action import Back, Open
from schemas.capability import Slot
from schemas.proof import Fault
from schemas.screen import Quality, State
from schemas.task import Carried, Forbidden, Happened, NearMiss, Shown, Task
from schemas.trajectory import Policy, Trajectory


@pytest.fixture(params=["add_task", "delete_task"])
def good(world: Any, request: pytest.FixtureRequest) -> Task:
    task: Task = getattr(world, request.param)()
    return task


def test_every_gate_passes_a_good_task(world: Any, good: Task) -> None:
    trials = world.trials(good)
    assert fresh.check(trials).passed
    replays = [trials.replay(good.plan.path, attempt) for attempt in range(2)]
    assert replayed.check(replays).passed
    reference = replays[0].trajectory
    plan, needed = necessary.trim(good.plan, trials, reference)
    assert plan == good.plan
    assert needed.passed
    assert len(needed.executions) == len(plan.path)
    assert all(not made.verified and made.policy is Policy.ABLATION for made in needed.executions)
    told = discriminating.check(mutate.near_misses(plan), trials, reference)
    assert told.passed, told.detail
    assert {made.policy for made in told.executions} == {Policy.NEAR_MISS}
    assert not any(made.verified for made in told.executions)


def test_fresh_refuses_keypoints_that_hold_before_anything_is_done(world: Any) -> None:
    trials = world.trials(world.add_task(keypoints=(Forbidden(id="k", allowed=("POST /items/add",)),)))
    check = fresh.check(trials)
    assert not check.passed
    assert "before anything is done" in check.detail
    assert check.executions[0].policy is Policy.DO_NOTHING
    assert check.executions[0].fault is Fault.TASK


def test_replayed_refuses_a_keypoint_that_the_path_does_not_meet(world: Any) -> None:
    unmet = Shown(id="kp_never", text="Butter")
    trials = world.trials(world.add_task(keypoints=(*world.added, unmet)))
    check = replayed.check([trials.replay(world.adding(), 0)])
    assert not check.passed
    assert "'Butter' is on 0 lines" in check.detail
    assert check.executions[0].unmet == ("kp_never",)
    assert check.executions[0].fault is Fault.TASK


def test_replayed_refuses_a_path_that_breaks_off(world: Any) -> None:
    trials = world.trials(world.add_task())
    check = replayed.check([trials.replay((world.save,), 0)])
    assert not check.passed
    assert "target_missing" in check.detail


def test_replayed_refuses_a_single_success_and_one_that_does_not_last(world: Any) -> None:
    trials = world.trials(world.add_task())
    once = trials.replay(world.adding(), 0)
    assert not replayed.check([once]).passed
    again = trials.replay(world.adding("Butter"), 1)
    check = replayed.check([once, again])
    assert not check.passed
    assert check.detail.startswith("replay 2 failed")


def test_replays_keep_screenshots_and_nothing_else_does(world: Any) -> None:
    trials = world.trials(world.add_task())
    omitted = trials(world.adding()[:-1], Policy.ABLATION, "omit")
    assert all(state.image is None for state in omitted.trajectory.observations)
    assert not world.images
    done = trials.replay(world.adding(), 0)
    assert {state.image for state in done.trajectory.observations} == set(world.images)


def test_necessary_trims_a_step_that_changes_nothing(world: Any) -> None:
    to_form, name, amount, save = world.adding()
    slots = world.add_plan().slots
    task = world.add_task(
        path=(to_form, world.food, name, amount, save),
        slots=tuple(slot.model_copy(update={"step": slot.step + 1}) for slot in slots),
    )
    trials = world.trials(task)
    plan, check = necessary.trim(task.plan, trials, trials.replay(task.plan.path, 0).trajectory)
    assert plan.path == world.adding()
    assert plan.slots == slots
    assert plan.id == task.plan.id
    assert check.passed
    assert "trimmed: select 'Food' Category" in check.detail
    assert len(check.executions) == 4


def test_necessary_refuses_a_verifier_that_does_not_look_at_a_value(world: Any) -> None:
    """Trimming the step would leave a path that no longer does what the instruction says."""
    task = world.add_task(
        path=(*world.adding()[:3], world.tools, world.save), slots=(Slot(parameter="category", step=3),)
    )
    trials = world.trials(task)
    _, check = necessary.trim(task.plan, trials, trials.replay(task.plan.path, 0).trajectory)
    assert not check.passed
    assert "overlooks a value" in check.detail
    assert "Category" in check.detail


def test_necessary_refuses_when_nothing_is_left(world: Any) -> None:
    task = world.add_task(keypoints=(Forbidden(id="k", allowed=("POST /items/add",)),), slots=())
    trials = world.trials(task)
    _, check = necessary.trim(task.plan, trials, trials.replay(task.plan.path, 0).trajectory)
    assert not check.passed
    assert "without any step" in check.detail


def test_discriminating_refuses_a_verifier_that_takes_another_value(world: Any) -> None:
    blind = tuple(point for point in world.added if point.id != "kp_amount")
    task = world.add_task(keypoints=blind)
    trials = world.trials(task)
    reference = trials.replay(task.plan.path, 0).trajectory
    check = discriminating.check(task.plan.near_misses, trials, reference)
    assert not check.passed
    assert "wrong_parameter: Amount: 5" in check.detail
    assert check.executions[-1].fault is Fault.TASK


def test_discriminating_refuses_a_verifier_that_takes_another_item(world: Any) -> None:
    blind = (Happened(id="k", signature="POST /items/{}/delete"),)
    task = world.delete_task(keypoints=blind)
    trials = world.trials(task)
    reference = trials.replay(task.plan.path, 0).trajectory
    check = discriminating.check(task.plan.near_misses, trials, reference)
    assert not check.passed
    assert "wrong_entity: Rice" in check.detail


def test_discriminating_refuses_side_effects_and_repetition_only_if_the_verifier_does(world: Any) -> None:
    settings = (world.visit_task().plan.path[0], world.save, Open())
    misses = (
        NearMiss(kind="side_effect", detail="saves the settings", path=(*settings, *world.adding())),
        NearMiss(kind="done_twice", detail="again", path=(*world.adding(), *world.adding())),
    )
    strict, loose = world.add_task(), world.add_task(keypoints=world.added[1:4])
    for miss in misses:
        for task, passed in ((strict, True), (loose, False)):
            trials = world.trials(task)
            reference = trials.replay(task.plan.path, 0).trajectory
            check = discriminating.check([miss], trials, reference)
            assert check.passed is passed, (miss.kind, check.detail)


def test_discriminating_is_not_content_with_near_misses_that_broke_off(world: Any) -> None:
    broken = NearMiss(kind="wrong_entity", detail="nowhere", path=(world.save,))
    task = world.add_task(near_misses=(broken,))
    trials = world.trials(task)
    reference = trials.replay(task.plan.path, 0).trajectory
    check = discriminating.check(task.plan.near_misses, trials, reference)
    assert not check.passed
    assert "could be executed to its end" in check.detail
    assert len(check.executions) == 1
    assert not discriminating.check((), trials, reference).passed


def test_a_mutant_that_leaves_everything_as_the_reference_does_is_no_miss(world: Any) -> None:
    detour = NearMiss(kind="undone", detail="looks about first", path=(Open(), *world.adding()))
    task = world.add_task()
    trials = world.trials(task)
    reference = trials.replay(task.plan.path, 0).trajectory
    check = discriminating.check((detour, *task.plan.near_misses), trials, reference)
    assert check.passed
    assert [made.purpose for made in check.executions] == ["wrong_parameter: Amount: 5"]


def test_near_misses_are_made_where_the_plan_has_none(world: Any) -> None:
    kinds = [miss.kind for miss in mutate.near_misses(world.add_plan(near_misses=()))]
    assert kinds == ["half_done", "done_twice"]
    assert mutate.near_misses(world.add_plan())[0].kind == "wrong_parameter"
    half = NearMiss(kind="half_done", detail="mine", path=(Back(),))
    made = mutate.near_misses(world.add_plan(near_misses=(half,)))
    assert [miss.kind for miss in made] == ["half_done", "done_twice"]
    assert made[0].detail == "mine"
    assert mutate.near_misses(world.visit_task(near_misses=()).plan) == ()
    saved = Happened(id="kp_saved", signature="file Documents/*", count=1)
    made = mutate.near_misses(world.add_plan(keypoints=(saved,), near_misses=()))
    assert [miss.kind for miss in made] == ["half_done"]


def timeless(done: Trajectory) -> Trajectory:
    """Without how long its steps took."""
    steps = tuple(step.model_copy(update={"ms": 0}) for step in done.steps)
    return done.model_copy(update={"steps": steps})


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Lengths of the paths that are really executed."""
    made: list[int] = []

    def counting(host: Any, path: Any, **how: Any) -> Any:
        made.append(len(path))
        return replay(host, path, **how)

    monkeypatch.setattr("pipeline.proof.trial.replay", counting)
    return made


def test_a_path_that_must_fail_is_executed_once(world: Any, replays: list[int]) -> None:
    trials = world.trials(world.add_task())
    one = trials(world.adding()[1:], Policy.ABLATION, "one")
    two = trials(world.adding()[1:], Policy.NEAR_MISS, "two")
    assert one.trajectory is two.trajectory
    assert (two.execution.policy, two.execution.purpose) == (Policy.NEAR_MISS, "two")
    assert replays == [3]
    broken = trials((*world.adding()[1:2], world.save), Policy.ABLATION, "as broken as the first")
    assert broken.trajectory is one.trajectory
    assert broken.trajectory.end == "target_missing"
    assert replays == [3]


def test_the_beginning_of_an_execution_is_the_execution_of_the_beginning(
    world: Any, replays: list[int]
) -> None:
    trials, fresh_trials = world.trials(world.add_task()), world.trials(world.add_task())
    trials.replay(world.adding(), 0)
    cut = trials(world.adding()[:-1], Policy.ABLATION, "cut")
    assert replays == [4]
    executed = fresh_trials(world.adding()[:-1], Policy.ABLATION, "executed")
    assert replays == [4, 3]
    assert cut.execution == executed.execution.model_copy(update={"purpose": "cut"})
    assert [step.action for step in cut.trajectory.steps] == [
        step.action for step in executed.trajectory.steps
    ]
    assert [state.id for state in cut.trajectory.observations] == [
        state.id for state in executed.trajectory.observations
    ]


def test_a_replay_that_goes_on_is_a_near_miss_too(world: Any, replays: list[int]) -> None:
    """The same replay as without going on, and an execution less."""
    task = world.add_task()
    twice = NearMiss(kind="done_twice", detail="", path=(*world.adding(), Open(), *world.adding()))
    (onward,) = mutate.onward(
        task.plan.model_copy(update={"near_misses": (twice, *task.plan.near_misses)}),
    )
    plain, trials = world.trials(task).replay(world.adding(), 1), world.trials(task)
    pictured = dict(world.images)
    went_on = trials.replay(world.adding(), 1, onward)
    assert went_on.execution == plain.execution
    assert timeless(went_on.trajectory) == timeless(plain.trajectory)
    assert world.images == pictured
    assert discriminating.check([twice], trials, plain.trajectory).passed
    assert replays == [4, 4]


def test_what_goes_wrong_after_a_replay_says_nothing_about_it(world: Any) -> None:
    trials = world.trials(world.add_task())
    done = trials.replay(world.adding(), 0, (world.save,))
    assert done.verified
    plain = world.trials(world.add_task()).replay(world.adding(), 0)
    assert timeless(done.trajectory) == timeless(plain.trajectory)
    missed = trials((*world.adding(), world.save, Open()), Policy.NEAR_MISS, "breaks off")
    assert missed.trajectory.end == "target_missing"


def test_a_replay_that_breaks_off_does_not_go_on(world: Any, replays: list[int]) -> None:
    trials = world.trials(world.add_task())
    done = trials.replay((world.save,), 0, world.adding())
    plain = world.trials(world.add_task()).replay((world.save,), 0)
    assert timeless(done.trajectory) == timeless(plain.trajectory)
    assert trials((world.save, Open()), Policy.NEAR_MISS, "as broken").trajectory.end == "target_missing"
    assert replays == [1, 1]


def test_a_replay_whose_last_screen_could_not_be_read_is_made_once_more(
    world: Any, replays: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ScriptedDriver.observe

    def observe(self: ScriptedDriver) -> State:
        state = real(self)
        if len(replays) not in {1, 3, 4}:
            return state
        return state.model_copy(update={"quality": Quality.UNSETTLED, "elements": ()})

    monkeypatch.setattr(ScriptedDriver, "observe", observe)
    trials = world.trials(world.add_task(keypoints=(Shown(id="k", text="Bread"),)))
    assert trials.replay(world.adding(), 0).verified
    assert replays == [4, 4]
    unread = trials.replay(world.adding(), 1)
    assert unread.execution.fault is Fault.ENVIRONMENT
    assert "could not be read" in replayed.check([unread]).detail


def test_a_verifier_that_cannot_say_has_refused_nothing(world: Any) -> None:
    """Abstention is never a no: not where a no is what has to be shown."""
    masked = Carried(id="k", signature="POST /login", field="code", value="x")
    opened = Shown(id="s", text="Bread")
    enter = (Open(address="/login"), world.typed("textbox:code", "{secret:code}"), world.save)
    task = world.add_task(keypoints=(masked,), path=(*enter, *world.adding()), slots=())
    trials = world.trials(task)
    reference = world.trials(world.add_task()).replay(world.adding(), 0).trajectory
    for check in (
        necessary.trim(task.plan, trials, reference)[1],
        discriminating.check([NearMiss(kind="half_done", detail="login", path=enter)], trials, reference),
    ):
        assert not check.passed
        assert "cannot refuse" in check.detail
        assert not any(made.verified for made in check.executions)
        assert check.executions[-1].fault is Fault.VERIFIER
    assert not fresh.check(world.trials(world.add_task(keypoints=()))).passed
    assert fresh.check(world.trials(world.add_task(keypoints=(opened,)))).passed


def test_a_broken_environment_shows_nothing_about_a_task(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    trials = world.trials(world.add_task())

    def crash(*_: object) -> None:
        raise DriverError("crashed", "gone")

    monkeypatch.setattr("crawlers.scripted.ScriptedDriver.perform", crash)
    with pytest.raises(HostError, match="failed while a task was executed"):
        trials.replay(world.adding(), 0)

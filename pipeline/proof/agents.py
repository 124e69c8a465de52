"""Agents that no verifier may believe: one that does nothing, one that clicks at random. Their success on
published tasks is a number of the benchmark, and should be zero and nearly zero.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from crawlers.driver import Driver, DriverError
from crawlers.effects import read
from crawlers.host import Host
from crawlers.replay import replay
from crawlers.risk import may_try, risk_of
from pipeline.verdicts.verify import verify
from schemas.action import Action, Click, Finish, Respond, Target, action_id
from schemas.app import App
from schemas.effect import Effect, EffectClass, Evidence, Outcome
from schemas.record import digest
from schemas.screen import Element, State
from schemas.task import Task
from schemas.trajectory import Policy, Step, Trajectory
from schemas.verdict import Verdict

RANDOM_STEPS = 15

Agent = Callable[[Task, Host, int], Trajectory]
"""Works on a task in a freshly reset App; the number is a seed."""


def attempt(task: Task, host: Host, policy: Agent, seed: int = 0) -> Verdict:
    """Let an agent work on a task, and verify what it did.

    Raises:
        HostError: the environment failed.
    """
    return verify(task.plan.keypoints, policy(task, host, seed))


def do_nothing(task: Task, host: Host, seed: int = 0) -> Trajectory:
    """Finish at once."""
    return replay(host, (), task=task.id, policy=Policy.DO_NOTHING, attempt=seed)


def clicker(task: Task, host: Host, seed: int = 0) -> Trajectory:
    """Click 15 times on whatever can be clicked and may be tried, then finish."""
    choice = random.Random(f"{task.id}/{seed}")  # noqa: S311 - repeatable, not secret
    host.restore()
    driver = host.driver()
    try:
        return _click_about(driver, host, task, seed, choice)
    finally:
        driver.close()


def _click_about(driver: Driver, host: Host, task: Task, seed: int, choice: random.Random) -> Trajectory:
    seen = [driver.observe()]
    steps: list[Step] = []
    crashed = False
    while len(steps) < RANDOM_STEPS and not crashed:
        action = _pick(seen[-1], host.app, choice)
        if action is None:
            break
        step, after, crashed = _perform(driver, len(steps), action, seen[-1])
        steps.append(step)
        seen.append(after)
    steps.append(Step(index=len(steps), action=Finish(), effect=_NOTHING))
    actions = [action_id(step.action) for step in steps]
    return Trajectory(
        id=digest("tr", task.id, Policy.RANDOM, seed, actions),
        task=task.id,
        app=host.app.name,
        lang=host.lang,
        policy=Policy.RANDOM,
        attempt=seed,
        steps=tuple(steps),
        observations=(*seen, seen[-1]),
        end="error" if crashed else "finished",
    )


_NOTHING = Effect(classes=(EffectClass.NONE,), outcome=Outcome.UNCHANGED)


def _perform(driver: Driver, index: int, action: Action, before: State) -> tuple[Step, State, bool]:
    """One step, the screen after it, and whether the session is dead."""
    try:
        evidence: Evidence = driver.perform(action)
        after = driver.observe()
    except DriverError as error:
        failed = Effect(classes=(EffectClass.NONE,), outcome=Outcome.BLOCKED)
        step = Step(index=index, action=action, effect=failed, status="failed", error=str(error))
        return step, before, error.kind == "crashed"
    return Step(index=index, action=action, effect=read(before, action, after, evidence)), after, False


def _pick(state: State, app: App, choice: random.Random) -> Action | None:
    if state.dialog:
        return Respond(accept=choice.random() < 0.5)
    open_to_click = [element for element in state.elements if _clickable(element, app)]
    return Click(target=Target.of(choice.choice(open_to_click))) if open_to_click else None


def _clickable(element: Element, app: App) -> bool:
    usable = element.clickable and element.pressable and element.box is not None
    return usable and may_try(risk_of(element, app), app)

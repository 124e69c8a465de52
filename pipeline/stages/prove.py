"""Prove: a task is executed on the real App until it has shown that it can be done, that every step of it
is needed, and that its verifier says no to doing nothing, to less and to something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crawlers.driver import ImageSink
from crawlers.host import Host, HostError
from crawlers.replay import replay
from pipeline.proof import discriminating, fresh, mutate, necessary, replayed
from pipeline.proof.again import Hosts, app_of
from pipeline.proof.trial import Trial, Trials
from schemas.app import App
from schemas.proof import Candidate, Check, Fault, Gate, Proof, Proved
from schemas.record import digest
from schemas.rejection import Rejection
from schemas.task import Task
from schemas.trajectory import Policy, Trajectory
from schemas.verdict import Rule

_idle: dict[tuple[str, str], Trajectory] = {}
"""What doing nothing looks like, per App and language: one execution serves all tasks of a Host."""


@dataclass(frozen=True)
class Prove:
    """``fresh``, ``replayed``, ``necessary``, ``discriminating``, cheapest first; a task stops at the first
    gate that it fails. Screenshots are kept of the replays only.
    """

    pool: Hosts
    apps: tuple[App, ...]
    images: ImageSink
    rule: Rule = Rule()  # noqa: RUF009 - a frozen record
    name: str = "prove"

    def __call__(self, item: Candidate) -> Iterator[Proved | Rejection]:
        """The task with its proof, or the gate that it failed. A Host that died has been restarted once
        (``replay`` does that) before the task is given up with fault ``environment``.

        Raises:
            ConfigError: there is no recipe for the task's App.
        """
        plan = item.task.plan
        app = app_of(plan, self.apps)
        try:
            yield self._prove(item, self.pool.host(app, plan.lang))
        except HostError as error:
            yield self._rejection(item.task, Gate.REPLAYED, str(error), Fault.ENVIRONMENT)

    def _prove(self, item: Candidate, host: Host) -> Proved | Rejection:
        trials = Trials(host, item.task, self.rule, self.images, _do_nothing(host))
        prover = _Prover(item.task, trials)
        checks = list(item.checks)
        for check in prover.checks():
            checks.append(check)
            if not check.passed:
                return self._rejection(item.task, check.gate, check.detail, _fault(check))
        outcomes = [(check.gate, check.passed) for check in checks]
        proof = Proof(id=digest("pf", item.task.id, outcomes), task=item.task.id, checks=tuple(checks))
        return Proved(task=prover.task, proof=proof, trajectories=prover.trajectories)

    def _rejection(self, task: Task, gate: Gate, detail: str, fault: Fault) -> Rejection:
        return Rejection(
            stage=self.name,
            item=task.id,
            reason=gate.value,
            detail=detail,
            fault=fault,
            app=task.plan.app,
            lang=task.plan.lang,
            text=task.instruction.text,
        )


class _Prover:
    """The gates of one task in turn; the task's path may become shorter on the way."""

    def __init__(self, task: Task, trials: Trials) -> None:
        self.task = task
        self.trajectories: tuple[Trajectory, ...] = ()
        self._trials = trials

    def checks(self) -> Iterator[Check]:
        """One Check per executed gate; stop asking after one that did not pass."""
        yield fresh.check(self._trials)
        shown = self._replays()
        if not shown.passed:
            yield shown
            return
        plan, needed = necessary.trim(self.task.plan, self._trials, self.trajectories[0])
        if needed.passed and len(plan.path) < len(self.task.plan.path):
            self.task = self.task.model_copy(update={"plan": plan})
            shown = self._replays()
        yield shown
        yield needed
        misses = mutate.near_misses(self.task.plan)
        yield discriminating.check(misses, self._trials, self.trajectories[0])

    def _replays(self) -> Check:
        done: list[Trial] = []
        path = self.task.plan.path
        onward = mutate.onward(self.task.plan)
        for attempt in range(replayed.TIMES):
            # The last replay is the likeliest to have a gate after it.
            rest = replayed.TIMES - 1 - attempt
            done.append(self._trials.replay(path, attempt, onward[rest] if rest < len(onward) else ()))
            if not done[-1].verified:
                break
        self.trajectories = tuple(trial.trajectory for trial in done)
        return replayed.check(done)


def _do_nothing(host: Host) -> Trajectory:
    key = host.app.id, host.lang
    if key not in _idle:
        done = replay(host, (), task="", policy=Policy.DO_NOTHING)
        if done.end != "finished":
            raise HostError(f"{host.app.title} does not show its first screen; look at its log.")
        _idle[key] = done
    return _idle[key]


def _fault(check: Check) -> Fault:
    """The fault of the execution that failed the gate; where none did, the task is to blame."""
    return next((made.fault for made in check.executions if made.fault), Fault.TASK)

"""A Trial is one execution made for a gate: a path is performed in a freshly reset App and verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from crawlers.driver import ImageSink
from crawlers.forms import expanded
from crawlers.host import Host, HostError
from crawlers.replay import replay
from pipeline.proof.execution import answer_of, beginning, execution_of, performed
from pipeline.verdicts.tree import trusted
from pipeline.verdicts.verify import verify
from schemas.action import Action, action_id
from schemas.proof import Execution
from schemas.task import Task
from schemas.trajectory import Policy, Trajectory
from schemas.verdict import Decision, Rule, Verdict

TRIES = 2
"""Executions of one path."""


@dataclass(frozen=True)
class Trial:
    """What was executed, what the verifier said, and the record of both."""

    trajectory: Trajectory
    verdict: Verdict
    execution: Execution

    @property
    def verified(self) -> bool:
        """Whether the verifier said yes."""
        return self.execution.verified

    @property
    def refused(self) -> bool:
        """Whether the verifier said no. A verifier that cannot say has refused nothing."""
        return self.verdict.decision is Decision.FAIL


class Run(Protocol):
    """How gates execute. The reference path must verify, everything else must not."""

    def __call__(self, path: Sequence[Action], policy: Policy, purpose: str) -> Trial:
        """Execute a path that must fail the verifier."""
        ...


@dataclass
class Trials:
    """The executions of one Task on one Host. Nothing is executed that was seen before: a path that must
    fail runs once, however many gates ask for it, and not at all where another execution began with it.
    Replays are always executed.
    """

    host: Host
    task: Task
    rule: Rule
    images: ImageSink
    idle: Trajectory
    """What happens when nothing is done: the same for every Task of the Host."""
    _seen: list[Trajectory] = field(default_factory=list)

    def __call__(self, path: Sequence[Action], policy: Policy, purpose: str) -> Trial:
        """Execute a path that must fail the verifier (see ``Run``).

        Raises:
            HostError: the environment failed, so nothing was shown.
        """
        known = self._known(path, policy) if path else self.idle
        if known:
            return self._verified(known, policy, purpose, expected=False)
        return self._executed(path, policy, purpose)

    def replay(self, path: Sequence[Action], attempt: int, onward: Sequence[Action] = ()) -> Trial:
        """Execute a path that must verify, and keep its screenshots. ``onward`` is performed after it for a
        gate that will ask for both together.

        Raises:
            HostError: the environment failed, so nothing was shown.
        """
        return self._executed(path, Policy.REFERENCE, f"replay {attempt + 1}", attempt, onward)

    def _known(self, path: Sequence[Action], policy: Policy) -> Trajectory | None:
        """What was seen of this path: an execution of it, the beginning of a longer one, or one that broke
        off in what they share.
        """
        wanted = [action_id(action) for action in expanded(path)]
        for done in self._seen:
            tried = [action_id(step.action) for step in done.steps[:-1]]
            broken = done.end != "finished"
            if tried == wanted or (broken and wanted[: len(tried)] == tried):
                return done
            if len(wanted) <= len(performed(done)) and tried[: len(wanted)] == wanted:
                return beginning(done, len(wanted), policy)
        return None

    def _executed(
        self,
        path: Sequence[Action],
        policy: Policy,
        purpose: str,
        attempt: int = 0,
        onward: Sequence[Action] = (),
    ) -> Trial:
        """Execute; once more where the judges could not decide because the last screen was not readable."""
        for _ in range(TRIES):
            whole = self._perform(path, policy, attempt, onward)
            done = beginning(whole, len(expanded(path)), policy, attempt) if onward else whole
            trial = self._verified(done, policy, purpose, expected=policy is Policy.REFERENCE)
            if trial.verdict.decision is not Decision.UNSURE or trusted(done.last):
                break
        self._seen.append(whole)
        return trial

    def _perform(
        self, path: Sequence[Action], policy: Policy, attempt: int, onward: Sequence[Action]
    ) -> Trajectory:
        done = replay(
            self.host,
            path,
            task=self.task.id,
            policy=policy,
            attempt=attempt,
            images=self.images if policy is Policy.REFERENCE else None,
            onward=onward,
            answer=answer_of(self.task.plan),
        )
        if done.end == "environment":
            raise HostError(f"{self.host.app.title} failed while a task was executed; look at its log.")
        return done

    def _verified(self, done: Trajectory, policy: Policy, purpose: str, *, expected: bool) -> Trial:
        verdict = verify(self.task.plan.keypoints, done, self.rule)
        return Trial(done, verdict, execution_of(done, verdict, policy, purpose, expected=expected))

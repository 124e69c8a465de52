"""Executions put into records: what was expected, what the verifier said, why, and whose fault it was."""

from __future__ import annotations

from pipeline.verdicts.state import WRITING_AREAS
from pipeline.verdicts.tree import trusted
from schemas.action import Action, action_id, target_of
from schemas.proof import Execution, Fault
from schemas.record import digest
from schemas.task import Answered, TaskPlan
from schemas.trajectory import Policy, Trajectory
from schemas.verdict import Decision, Verdict


def execution_of(
    done: Trajectory, verdict: Verdict, policy: Policy, purpose: str, *, expected: bool
) -> Execution:
    """The record of an execution and of what the verifier said to it."""
    verified = verdict.decision is Decision.PASS
    return Execution(
        trajectory=done.id,
        policy=policy,
        purpose=purpose,
        verified=verified,
        expected=expected,
        steps=len(done.steps),
        unmet=tuple(k.keypoint for k in verdict.keypoints if k.decision is not Decision.PASS),
        fault=fault_of(done, verdict) if verified != expected or _unsure(verdict) else None,
    )


def fault_of(done: Trajectory, verdict: Verdict) -> Fault:
    """Whose fault it is that an execution and the verifier do not go together: a screen that could not be
    read is the environment's, judges who disagree or cannot say are the verifier's.
    """
    if done.end == "environment" or (_unsure(verdict) and not trusted(done.last)):
        return Fault.ENVIRONMENT
    if _unsure(verdict) or any(keypoint.yes and keypoint.no for keypoint in verdict.keypoints):
        return Fault.VERIFIER
    agent = done.policy in {Policy.AGENT, Policy.RANDOM}
    return Fault.AGENT if agent else Fault.TASK


def _unsure(verdict: Verdict) -> bool:
    return verdict.decision is Decision.UNSURE


def answer_of(plan: TaskPlan) -> str:
    """The right final answer; empty where the task asks for none."""
    return next((point.value for point in plan.keypoints if isinstance(point, Answered)), "")


def describe(action: Action) -> str:
    """An action in a few words, for a person."""
    target = target_of(action)
    label = (target.label or target.key) if target else ""
    text = getattr(action, "text", "") or getattr(action, "label", "")
    return " ".join(part for part in (action.kind, repr(text) if text else "", label) if part)


def refusal(done: Trajectory, verdict: Verdict) -> str:
    """Why the verifier said no, in one sentence: how the execution was cut short, or the first reason."""
    if done.end != "finished":
        error = next((step.error for step in reversed(done.steps) if step.error), "")
        return f"it ended early, {done.end}" + (f": {error}" if error else "")
    failed = {point.keypoint for point in verdict.keypoints if point.decision is not Decision.PASS}
    ballots = [ballot for ballot in verdict.ballots if ballot.keypoint in failed]
    against = [ballot.reason for ballot in ballots if ballot.met is False]
    unsure = "; ".join(f"{ballot.judge}: {ballot.reason}" for ballot in ballots if ballot.met is None)
    return next(iter(against), unsure or "no keypoint was judged")


def beginning(done: Trajectory, length: int, policy: Policy, attempt: int = 0) -> Trajectory:
    """The execution of the first ``length`` actions that a longer one contains: the App answered them
    without knowing what would follow, so executing them alone would show the same. One that broke off
    among them is all theirs.
    """
    actions = [action_id(step.action) for step in done.steps[:length]]
    named = {"id": digest("tr", done.task, policy, attempt, actions), "policy": policy, "attempt": attempt}
    if len(performed(done)) < length:
        return done.model_copy(update=named)
    end = done.steps[-1]
    last = end.model_copy(
        update={"index": length, "action": end.action.model_copy(update={"status": "success"})}
    )
    cut = {
        "steps": (*done.steps[:length], last),
        "observations": (*done.observations[: length + 1], done.observations[length]),
        "end": "finished",
    }
    return done.model_copy(update={**named, **cut})


def performed(done: Trajectory) -> tuple[Action, ...]:
    """The actions that could be done: all but the last of an execution that broke off, without the Finish."""
    actions = tuple(step.action for step in done.steps[:-1])
    return actions if done.end == "finished" else actions[:-1]


def same_outcome(one: Trajectory, other: Trajectory) -> bool:
    """Whether both end on the same screen with the same data, after sending and storing the same things."""
    return one.last.id == other.last.id and _changes(one) == _changes(other)


def _changes(done: Trajectory) -> list[object]:
    changes: list[object] = []
    for step in done.steps:
        changes += [(call.method, call.path, call.fields) for call in step.effect.writes]
        kept = (write for write in step.effect.evidence.storage if write.area in WRITING_AREAS)
        changes += [(write.signature, write.value) for write in kept]
        changes += [(file.route, file.sha256) for file in step.effect.evidence.downloads]
    return changes

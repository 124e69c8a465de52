"""Gate ``necessary``: leaving out any step fails the verifier. A step that may be left out is trimmed from
the path first, so what remains is needed to the last click.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.proof.execution import describe, same_outcome
from pipeline.proof.trial import Run, Trial
from schemas.capability import Slot
from schemas.proof import Check, Execution, Gate
from schemas.task import TaskPlan
from schemas.trajectory import Policy, Trajectory


def trim(plan: TaskPlan, run: Run, reference: Trajectory) -> tuple[TaskPlan, Check]:
    """Executed: one trajectory per step; those of a trimmed path anew, for a step may matter only without
    another.

    A step that enters one of the plan's values is trimmed only if everything ends the same without it (the
    field held the value already). Else the verifier does not look at the value, which fails the gate.

    Returns:
        The plan with the steps that are needed, and the gate's answer for it.
    """
    kept = tuple(range(len(plan.path)))
    carrying = {slot.step for slot in plan.slots}
    while True:
        trials = _omissions(plan, kept, run)
        last = trials[-1] if trials else None
        if last is None or not last.verified:
            return shorten(plan, kept), _needed(plan, kept, trials)
        spare = kept[len(trials) - 1]
        if spare in carrying and not same_outcome(last.trajectory, reference):
            return shorten(plan, kept), _overlooked(trials)
        kept = tuple(step for step in kept if step != spare)


def shorten(plan: TaskPlan, kept: Sequence[int]) -> TaskPlan:
    """The plan with only these steps of its path. Its id stays: it names what is to be done, not how."""
    moved = {old: new for new, old in enumerate(kept)}
    slots = tuple(
        Slot(parameter=slot.parameter, step=moved[slot.step]) for slot in plan.slots if slot.step in moved
    )
    return plan.model_copy(update={"path": tuple(plan.path[at] for at in kept), "slots": slots})


def _omissions(plan: TaskPlan, kept: Sequence[int], run: Run) -> list[Trial]:
    """One trial per step left out, up to the first that the verifier is content with."""
    trials: list[Trial] = []
    for place, step in enumerate(kept):
        rest = [plan.path[at] for at in kept if at != step]
        purpose = f"omit step {place + 1}: {describe(plan.path[step])}"
        trials.append(run(rest, Policy.ABLATION, purpose))
        if trials[-1].verified:
            break
    return trials


def _needed(plan: TaskPlan, kept: Sequence[int], trials: Sequence[Trial]) -> Check:
    trimmed = [describe(action) for at, action in enumerate(plan.path) if at not in kept]
    unsure = next((trial for trial in trials if not trial.refused), None)
    detail = f"each of {len(kept)} steps is needed"
    if trimmed:
        detail += f"; trimmed: {', '.join(trimmed)}"
    if not kept:
        detail = "the verifier is content without any step"
    elif unsure:
        detail = f"the verifier cannot refuse to {unsure.execution.purpose}"
    passed = bool(kept) and not unsure
    return Check(gate=Gate.NECESSARY, passed=passed, detail=detail, executions=_records(trials))


def _overlooked(trials: Sequence[Trial]) -> Check:
    detail = f"the verifier overlooks a value: it is content with {trials[-1].execution.purpose}"
    return Check(gate=Gate.NECESSARY, passed=False, detail=detail, executions=_records(trials))


def _records(trials: Sequence[Trial]) -> tuple[Execution, ...]:
    return tuple(trial.execution for trial in trials)

"""Gate ``discriminating``: near misses made from the task itself fail its verifier."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.proof.execution import same_outcome
from pipeline.proof.trial import Run, Trial
from schemas.proof import Check, Gate
from schemas.task import NearMiss
from schemas.trajectory import Policy, Trajectory


def check(misses: Sequence[NearMiss], run: Run, reference: Trajectory) -> Check:
    """Executed: one trajectory per near miss, up to the first that verifies without having done the task."""
    trials: list[Trial] = []
    for miss in misses:
        trials.append(run(miss.path, Policy.NEAR_MISS, f"{miss.kind}: {miss.detail}"))
        if _fooled(trials[-1], reference):
            break
    return judge(trials, reference)


def judge(trials: Sequence[Trial], reference: Trajectory) -> Check:
    """Pure. A near miss that broke off shows nothing about the verifier: one at least must have run to its
    end and failed there. One that left everything as the reference does is no miss and does not count.
    """
    misses = [trial for trial in trials if not (trial.verified and same_outcome(trial.trajectory, reference))]
    fooled = next((trial for trial in misses if not trial.refused), None)
    ended = [trial for trial in misses if trial.trajectory.end == "finished"]
    if fooled:
        said = "is content with" if fooled.verified else "cannot refuse"
        detail = f"the verifier {said} {fooled.execution.purpose}"
    elif not ended:
        detail = f"none of {len(misses)} near misses could be executed to its end"
    else:
        detail = f"{len(ended)} near misses ran to their end and failed"
    return Check(
        gate=Gate.DISCRIMINATING,
        passed=not fooled and bool(ended),
        detail=detail,
        executions=tuple(trial.execution for trial in misses),
    )


def _fooled(trial: Trial, reference: Trajectory) -> bool:
    return trial.verified and not same_outcome(trial.trajectory, reference)

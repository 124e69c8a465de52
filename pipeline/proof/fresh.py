"""Gate ``fresh``: doing nothing fails, so the keypoints are no description of the start state."""

from __future__ import annotations

from pipeline.proof.execution import refusal
from pipeline.proof.trial import Run
from schemas.proof import Check, Gate
from schemas.trajectory import Policy


def check(run: Run) -> Check:
    """Executed: one trajectory without actions."""
    trial = run((), Policy.DO_NOTHING, "do nothing")
    detail = "doing nothing fails"
    if trial.verified:
        detail = "all keypoints hold before anything is done"
    elif not trial.refused:
        detail = f"the verifier cannot say whether they hold: {refusal(trial.trajectory, trial.verdict)}"
    return Check(gate=Gate.FRESH, passed=trial.refused, detail=detail, executions=(trial.execution,))

"""Gate ``replayed``: the reference path meets every keypoint in a freshly reset App, twice."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.proof.execution import refusal
from pipeline.proof.trial import Trial
from schemas.proof import Check, Gate

TIMES = 2
"""Replays without which nothing is proven: the second shows that the reset works."""


def check(trials: Sequence[Trial]) -> Check:
    """Pure: judges replays that were executed, at least one of them."""
    failed = next((trial for trial in trials if not trial.verified), None)
    if failed:
        detail = f"{failed.execution.purpose} failed: {refusal(failed.trajectory, failed.verdict)}"
    elif len(trials) < TIMES:
        detail = f"it was replayed {len(trials)} times, {TIMES} are needed"
    else:
        detail = f"all keypoints were met {len(trials)} times"
    return Check(
        gate=Gate.REPLAYED,
        passed=not failed and len(trials) >= TIMES,
        detail=detail,
        executions=tuple(trial.execution for trial in trials),
    )

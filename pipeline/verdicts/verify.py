"""The verifier: keypoints and a trajectory in, a Verdict out. Gates, agents and benchmarks all use it."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.verdicts.panel import JUDGES, Judge, ask
from pipeline.verdicts.vote import tally
from schemas.task import Keypoint
from schemas.trajectory import Trajectory
from schemas.verdict import Poll, Rule, Verdict


def verify(
    keypoints: Sequence[Keypoint],
    trajectory: Trajectory,
    rule: Rule = Rule(),  # noqa: B008 - a frozen record
    judges: Sequence[Judge] = JUDGES,
) -> Verdict:
    """Whether a Trajectory did what the keypoints say. One that was cut short fails, however far it got."""
    ballots = ask(keypoints, trajectory, judges=judges, rule=rule)
    poll = Poll(task=trajectory.task, trajectory=trajectory.id, ballots=ballots)
    return tally(poll, rule, cut_short=trajectory.end != "finished")

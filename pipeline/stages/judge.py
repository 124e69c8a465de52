"""Judge: every judge votes on every keypoint of the proving trajectories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.verdicts.panel import JUDGES, ask
from pipeline.verdicts.panel import Judge as Voter
from schemas.proof import Proved
from schemas.verdict import Poll


@dataclass(frozen=True)
class Judge:
    """Nobody stops early here: the ballots are data, and agreement is measured on them."""

    judges: tuple[Voter, ...] = JUDGES
    name: str = "judge"

    def __call__(self, item: Proved) -> Iterator[Poll]:
        """One Poll per trajectory, in order."""
        for done in item.trajectories:
            ballots = ask(item.task.plan.keypoints, done, judges=self.judges)
            yield Poll(task=item.task.id, trajectory=done.id, ballots=ballots)

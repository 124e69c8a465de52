"""Vote: ballots become a Verdict; a trajectory that is not clearly verified falls out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.verdicts.vote import tally
from schemas.proof import Fault
from schemas.rejection import Rejection
from schemas.verdict import Decision, KeypointVerdict, Poll, Rule, Verdict


@dataclass(frozen=True)
class Vote:
    """Counts polls by one rule."""

    rule: Rule = Rule()  # noqa: RUF009 - a frozen record
    name: str = "vote"

    def __call__(self, item: Poll) -> Iterator[Verdict | Rejection]:
        """The Verdict if it passes, else why not: ``tie``, ``unmet`` or ``undecided``."""
        verdict = tally(item, self.rule)
        if verdict.decision is Decision.PASS:
            yield verdict
            return
        open_ = [point for point in verdict.keypoints if point.decision is not Decision.PASS]
        reason = _reason(open_)
        yield Rejection(
            stage=self.name,
            item=item.trajectory,
            reason=reason,
            detail=_detail(item, open_),
            fault=Fault.VERIFIER if reason == "tie" else Fault.TASK,
        )


def _reason(points: list[KeypointVerdict]) -> str:
    if any(point.yes == point.no > 0 for point in points):
        return "tie"
    return "unmet" if any(point.decision is Decision.FAIL for point in points) else "undecided"


def _detail(poll: Poll, points: list[KeypointVerdict]) -> str:
    """What the judges said of the first keypoint that did not pass."""
    if not points:
        return "no keypoint was voted on"
    said = [b.reason for b in poll.ballots if b.keypoint == points[0].keypoint and b.met is not None]
    return "; ".join(said) or "every judge abstained"

"""A Ballot is one judge's vote on one keypoint; a Verdict is the tally over judges and keypoints."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from schemas.record import Record


class Ballot(Record):
    """One vote. ``met`` None means abstained, which is never counted as no."""

    judge: str
    """state, tree, pixels, language or probe."""
    trajectory: str
    keypoint: str
    met: bool | None
    confidence: float = 1.0
    reason: str = ""
    """What it saw: a request, a line on the screen."""
    model: str = ""
    prompt: str = ""


class Poll(Record):
    """All ballots on one Trajectory of a Task."""

    task: str
    trajectory: str
    ballots: tuple[Ballot, ...]


class Rule(Record):
    """How ballots become a decision, per keypoint; the trajectory is the AND of its keypoints."""

    quorum: int = 1
    """Votes (abstentions excluded) without which a keypoint is undecided."""
    threshold: float = 1.0
    """Share of the votes cast that must say met."""
    tie: Literal["reject", "undecided"] = "reject"
    """What an exact tie means."""


class Decision(StrEnum):
    """The outcome of a tally."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "fail"
    UNSURE = "unsure"


class KeypointVerdict(Record):
    """The tally of one keypoint."""

    keypoint: str
    decision: Decision
    yes: int
    no: int
    abstained: int


class Verdict(Record):
    """The tally of one Trajectory."""

    id: str
    """``vd_`` + hash of trajectory and rule."""
    task: str
    trajectory: str
    decision: Decision
    rule: Rule
    keypoints: tuple[KeypointVerdict, ...]
    ballots: tuple[Ballot, ...]
    agreement: float
    """Share of keypoints on which all votes cast agree."""

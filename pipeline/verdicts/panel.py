"""The panel: who votes on what, and when to stop asking.

Judges differ in evidence first (requests, elements, pixels), so that they do not make the same mistakes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from pipeline.verdicts.state import StateJudge
from pipeline.verdicts.tree import TreeJudge
from pipeline.verdicts.vote import count, decided
from schemas.task import Keypoint, Ordered
from schemas.trajectory import Trajectory
from schemas.verdict import Ballot, Decision, Rule


class Judge(Protocol):
    """One voter. It never sees what the agent says about its own success."""

    @property
    def name(self) -> str:
        """What its ballots are signed with."""
        ...

    @property
    def costly(self) -> bool:
        """Whether a vote costs more than reading evidence at hand (a model call, a second look)."""
        ...

    def __call__(self, keypoint: Keypoint, trajectory: Trajectory, /) -> Ballot:
        """Its vote on one keypoint; ``met`` None where its evidence says nothing."""
        ...

    def moment(self, keypoint: Keypoint, trajectory: Trajectory, /) -> int | None:
        """Index of the step that first met the keypoint, None when none did as far as it can see."""
        ...


JUDGES: tuple[Judge, ...] = (StateJudge(), TreeJudge())
"""The judges that every trajectory can be shown to, cheap and deterministic."""


def ask(
    keypoints: Sequence[Keypoint],
    trajectory: Trajectory,
    *,
    judges: Sequence[Judge] = JUDGES,
    rule: Rule | None = None,
) -> tuple[Ballot, ...]:
    """Ballots on a Trajectory, by keypoint and then by judge.

    Judges are asked in turn. With a ``rule``, a judge is not asked about a keypoint that is decided, and
    costly judges are not asked at all once some keypoint has failed; without one, everybody votes.
    """
    known = {keypoint.id: keypoint for keypoint in keypoints}
    ballots: dict[str, list[Ballot]] = {name: [] for name in known}
    for turn, judge in enumerate(judges):
        left = len(judges) - turn
        if rule and judge.costly and _failed(ballots, left, rule):
            break
        for keypoint in keypoints:
            cast = ballots[keypoint.id]
            if not (rule and _settled(keypoint.id, cast, left, rule)):
                cast.append(_vote(judge, keypoint, trajectory, known))
    return tuple(ballot for keypoint in keypoints for ballot in ballots[keypoint.id])


def _settled(keypoint: str, cast: Sequence[Ballot], left: int, rule: Rule) -> bool:
    tally = count(keypoint, cast, rule)
    return decided(tally.yes, tally.no, left, rule)


def _failed(ballots: Mapping[str, Sequence[Ballot]], left: int, rule: Rule) -> bool:
    return any(
        count(keypoint, cast, rule).decision is Decision.FAIL and _settled(keypoint, cast, left, rule)
        for keypoint, cast in ballots.items()
    )


def _vote(judge: Judge, keypoint: Keypoint, trajectory: Trajectory, known: Mapping[str, Keypoint]) -> Ballot:
    if not isinstance(keypoint, Ordered):
        return judge(keypoint, trajectory)
    met, reason = _in_order(judge, keypoint, trajectory, known)
    return Ballot(judge=judge.name, trajectory=trajectory.id, keypoint=keypoint.id, met=met, reason=reason)


def _in_order(
    judge: Judge, keypoint: Ordered, trajectory: Trajectory, known: Mapping[str, Keypoint]
) -> tuple[bool | None, str]:
    """An order is judged by whoever can date both keypoints; who sees only one of them abstains."""
    ends = known.get(keypoint.first), known.get(keypoint.second)
    moments = [judge.moment(end, trajectory) if end else None for end in ends]
    if moments[0] is None or moments[1] is None:
        return None, "not both keypoints were seen"
    return moments[0] < moments[1], f"met in steps {moments[0]} and {moments[1]}"

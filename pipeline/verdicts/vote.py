"""The vote: ballots become a decision per keypoint, and the trajectory is the AND of its keypoints."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.record import digest
from schemas.verdict import Ballot, Decision, KeypointVerdict, Poll, Rule, Verdict


def decide(yes: int, no: int, rule: Rule) -> Decision:
    """The decision on one keypoint from the votes cast; abstentions are no votes at all."""
    cast = yes + no
    if cast < max(rule.quorum, 1):
        return Decision.UNSURE
    if yes == no:
        return Decision.FAIL if rule.tie == "reject" else Decision.UNSURE
    return Decision.PASS if yes / cast >= rule.threshold else Decision.FAIL


def decided(yes: int, no: int, left: int, rule: Rule) -> bool:
    """Whether ``left`` more ballots, abstentions among them, can no longer change the decision."""
    outcomes = {
        decide(yes + more_yes, no + more_no, rule)
        for more_yes in range(left + 1)
        for more_no in range(left + 1 - more_yes)
    }
    return len(outcomes) == 1


def conjunction(decisions: Sequence[Decision]) -> Decision:
    """AND: one FAIL fails, else one UNSURE is unsure; nothing to decide is unsure as well."""
    if Decision.FAIL in decisions:
        return Decision.FAIL
    if not decisions or Decision.UNSURE in decisions:
        return Decision.UNSURE
    return Decision.PASS


def tally(poll: Poll, rule: Rule, *, cut_short: bool = False) -> Verdict:
    """Count a Poll.

    Args:
        poll: Ballots on one Trajectory; a keypoint counts once some ballot names it.
        rule: Quorum, threshold and what a tie means.
        cut_short: The Trajectory did not end by itself, which fails it whatever the ballots say.

    Returns:
        The Verdict, keypoints in the order in which the ballots first name them.
    """
    keypoints = tuple(
        count(keypoint, poll.ballots, rule) for keypoint in dict.fromkeys(b.keypoint for b in poll.ballots)
    )
    decision = conjunction([keypoint.decision for keypoint in keypoints])
    return Verdict(
        id=digest("vd", poll.trajectory, rule),
        task=poll.task,
        trajectory=poll.trajectory,
        decision=Decision.FAIL if cut_short else decision,
        rule=rule,
        keypoints=keypoints,
        ballots=poll.ballots,
        agreement=_agreement(keypoints),
    )


def count(keypoint: str, ballots: Sequence[Ballot], rule: Rule) -> KeypointVerdict:
    """The tally of one keypoint."""
    votes = [ballot.met for ballot in ballots if ballot.keypoint == keypoint]
    yes, no = votes.count(True), votes.count(False)
    return KeypointVerdict(
        keypoint=keypoint, decision=decide(yes, no, rule), yes=yes, no=no, abstained=votes.count(None)
    )


def _agreement(keypoints: Sequence[KeypointVerdict]) -> float:
    voted = [keypoint for keypoint in keypoints if keypoint.yes + keypoint.no]
    agreed = sum(not (keypoint.yes and keypoint.no) for keypoint in voted)
    return agreed / len(voted) if voted else 0.0

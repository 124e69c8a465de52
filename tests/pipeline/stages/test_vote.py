from __future__ import annotations

import pytest

from pipeline.stage import run
from pipeline.stages.vote import Vote
from schemas.proof import Fault
from schemas.rejection import Rejection
from schemas.verdict import Ballot, Decision, Poll, Rule, Verdict


def poll(votes: tuple[bool | None, ...]) -> Poll:
    ballots = tuple(
        Ballot(judge=f"j{at}", trajectory="tr", keypoint="kp", met=met, reason=f"said {met}")
        for at, met in enumerate(votes)
    )
    return Poll(task="tk", trajectory="tr", ballots=ballots)


def test_a_passing_poll_becomes_a_verdict() -> None:
    (verdict,) = run(Vote(), [poll((True, None))])
    assert isinstance(verdict, Verdict)
    assert verdict.decision is Decision.PASS
    assert (verdict.task, verdict.trajectory) == ("tk", "tr")


@pytest.mark.parametrize(
    "votes, rule, reason, fault, detail",
    [
        ((False, None), Rule(), "unmet", Fault.TASK, "said False"),
        ((None, None), Rule(), "undecided", Fault.TASK, "every judge abstained"),
        ((True, None), Rule(quorum=2), "undecided", Fault.TASK, "said True"),
        ((True, False), Rule(), "tie", Fault.VERIFIER, "said True; said False"),
        ((True, False), Rule(tie="undecided"), "tie", Fault.VERIFIER, "said True; said False"),
        ((), Rule(), "undecided", Fault.TASK, "no keypoint was voted on"),
    ],
)
def test_everything_else_falls_out_for_a_reason(
    votes: tuple[bool | None, ...], rule: Rule, reason: str, fault: Fault, detail: str
) -> None:
    (fallen,) = run(Vote(rule), [poll(votes)])
    assert isinstance(fallen, Rejection)
    assert (fallen.stage, fallen.item, fallen.reason, fallen.fault) == ("vote", "tr", reason, fault)
    assert fallen.detail == detail

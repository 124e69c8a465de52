from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.verdicts.vote import decide, decided, tally
from schemas.verdict import Ballot, Decision, Poll, Rule

PASS, FAIL, UNSURE = Decision.PASS, Decision.FAIL, Decision.UNSURE
MAJORITY = Rule(threshold=0.5, tie="undecided")


def poll(**votes: list[bool | None]) -> Poll:
    ballots = tuple(
        Ballot(judge=f"j{at}", trajectory="tr", keypoint=keypoint, met=met)
        for keypoint, cast in votes.items()
        for at, met in enumerate(cast)
    )
    return Poll(task="tk", trajectory="tr", ballots=ballots)


@pytest.mark.parametrize(
    "yes, no, rule, decision",
    [
        (1, 0, Rule(), PASS),
        (0, 1, Rule(), FAIL),
        (0, 0, Rule(), UNSURE),
        (1, 1, Rule(), FAIL),
        (1, 1, Rule(tie="undecided"), UNSURE),
        (2, 1, Rule(), FAIL),
        (2, 1, MAJORITY, PASS),
        (1, 2, MAJORITY, FAIL),
        (1, 1, MAJORITY, UNSURE),
        (1, 0, Rule(quorum=2), UNSURE),
        (2, 0, Rule(quorum=2), PASS),
        (0, 0, Rule(quorum=0), UNSURE),
    ],
)
def test_decide(yes: int, no: int, rule: Rule, decision: Decision) -> None:
    assert decide(yes, no, rule) is decision


def test_an_abstention_is_never_a_no() -> None:
    assert tally(poll(a=[True, None, None]), Rule()).decision is PASS
    assert tally(poll(a=[None, None]), Rule()).decision is UNSURE


def test_a_trajectory_is_the_and_of_its_keypoints() -> None:
    assert tally(poll(a=[True], b=[True]), Rule()).decision is PASS
    assert tally(poll(a=[True], b=[None]), Rule()).decision is UNSURE
    assert tally(poll(a=[None], b=[False]), Rule()).decision is FAIL
    assert tally(poll(), Rule()).decision is UNSURE


def test_what_was_cut_short_fails_whatever_the_ballots_say() -> None:
    assert tally(poll(a=[True]), Rule(), cut_short=True).decision is FAIL


def test_the_tally_counts_and_keeps_every_ballot() -> None:
    cast = poll(a=[True, False, None], b=[True, True, None])
    verdict = tally(cast, MAJORITY)
    first = verdict.keypoints[0]
    assert (first.yes, first.no, first.abstained, first.decision) == (1, 1, 1, UNSURE)
    assert verdict.ballots == cast.ballots
    assert verdict.agreement == 0.5
    assert tally(poll(a=[None]), Rule()).agreement == 0.0


def test_the_id_names_trajectory_and_rule() -> None:
    assert tally(poll(a=[True]), Rule()).id == tally(poll(a=[False]), Rule()).id
    assert tally(poll(a=[True]), Rule()).id != tally(poll(a=[True]), MAJORITY).id


@given(
    st.lists(st.sampled_from([True, False, None]), max_size=6),
    st.integers(0, 6),
    st.builds(
        Rule,
        quorum=st.integers(0, 4),
        threshold=st.sampled_from([0.34, 0.5, 0.67, 1.0]),
        tie=st.sampled_from(["reject", "undecided"]),
    ),
)
def test_what_is_decided_stays_so_whatever_the_rest_votes(cast: Any, asked: Any, rule: Any) -> None:
    early, late = cast[:asked], cast[asked:]
    if decided(early.count(True), early.count(False), len(late), rule):
        assert decide(cast.count(True), cast.count(False), rule) is decide(
            early.count(True), early.count(False), rule
        )

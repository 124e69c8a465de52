from dataclasses import dataclass, field
from typing import Any

from pipeline.verdicts.panel import JUDGES, ask
from pipeline.verdicts.verify import verify
from schemas.task import Happened, Keypoint, Ordered, Shown
from schemas.trajectory import Trajectory
from schemas.verdict import Ballot, Decision, Rule

ADDED = Happened(id="added", signature="POST /add")
SHOWN = Shown(id="shown", text="Dinner")


@dataclass
class Canned:
    """A judge who votes as told and remembers what he was asked."""

    name: str
    votes: dict[str, bool | None]
    costly: bool = False
    asked: list[str] = field(default_factory=list)

    def __call__(self, keypoint: Keypoint, trajectory: Trajectory) -> Ballot:
        self.asked.append(keypoint.id)
        met = self.votes[keypoint.id]
        return Ballot(judge=self.name, trajectory=trajectory.id, keypoint=keypoint.id, met=met)

    def moment(self, _keypoint: Keypoint, _trajectory: Trajectory) -> int | None:
        return None


def test_everybody_votes_on_everything_without_a_rule(make: Any) -> None:
    done = make.film([make.screen(), make.screen("Dinner")], [make.post()])
    ballots = ask([ADDED, SHOWN], done)
    assert [(b.keypoint, b.judge, b.met) for b in ballots] == [
        ("added", "state", True),
        ("added", "tree", None),
        ("shown", "state", None),
        ("shown", "tree", True),
    ]
    assert all(ballot.reason for ballot in ballots)


def test_judges_see_different_evidence(make: Any) -> None:
    """A screen that shows success and a server that saw nothing: one judge alone would be fooled."""
    spoofed = make.film([make.screen(), make.screen("Dinner")])
    assert verify([SHOWN], spoofed).decision is Decision.PASS
    assert verify([ADDED, SHOWN], spoofed).decision is Decision.FAIL


def test_a_decided_keypoint_is_not_put_to_more_judges(make: Any) -> None:
    rule = Rule(threshold=0.5)
    judges = [Canned(name, {"added": True, "shown": name != "two"}) for name in ("one", "two", "three")]
    ask([ADDED, SHOWN], make.film([make.screen()]), judges=judges, rule=rule)
    assert judges[2].asked == ["shown"]


def test_costly_judges_are_not_asked_once_a_keypoint_has_failed(make: Any) -> None:
    done, rule = make.film([make.screen()]), Rule(quorum=2)
    for vote, asked in ((False, []), (True, ["added", "shown"])):
        cheap = [Canned(name, {"added": vote, "shown": True}) for name in ("one", "two")]
        costly = Canned("three", {"added": True, "shown": True}, costly=True)
        ballots = ask([ADDED, SHOWN], done, judges=[*cheap, costly], rule=rule)
        assert costly.asked == asked
        assert len(ballots) == 4 + len(asked)


def test_order_is_judged_by_whoever_can_date_both(make: Any) -> None:
    log_in = Happened(id="log_in", signature="POST /login")
    order = Ordered(id="order", first="log_in", second="added")
    screens = [make.screen()] * 3
    right = make.film(screens, [make.post("/login"), make.post()])
    wrong = make.film(screens, [make.post(), make.post("/login")])
    points = [log_in, ADDED, order]
    assert verify(points, right).decision is Decision.PASS
    assert verify(points, wrong).decision is Decision.FAIL
    assert [b.met for b in ask(points, right)][-2:] == [True, None]
    lost = Ordered(id="order", first="log_in", second="nothing")
    assert verify([log_in, lost], right).decision is Decision.UNSURE


def test_a_trajectory_that_was_cut_short_fails(make: Any) -> None:
    screens = [make.screen(), make.screen("Dinner")]
    assert verify([SHOWN], make.film(screens, end="target_missing")).decision is Decision.FAIL
    assert verify([SHOWN], make.film(screens)).decision is Decision.PASS


def test_what_an_agent_claims_changes_nothing(make: Any) -> None:
    done = make.film([make.screen()], answer="Done! Dinner was added successfully.")
    assert verify([ADDED, SHOWN], done).decision is Decision.FAIL


def test_the_default_judges_read_evidence_at_hand() -> None:
    assert [(judge.name, judge.costly) for judge in JUDGES] == [("state", False), ("tree", False)]

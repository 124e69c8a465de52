from __future__ import annotations

from typing import Any

from pipeline.stage import run
from pipeline.stages.judge import Judge
from pipeline.stages.prove import Prove
from pipeline.stages.vote import Vote
from schemas.proof import Candidate
from schemas.verdict import Decision, Verdict


def test_every_judge_votes_on_every_keypoint_of_both_replays_and_they_pass(world: Any) -> None:
    stage = Prove(pool=world.pool, apps=(world.app,), images=world.keep)
    (proved,) = run(stage, [Candidate(task=world.add_task(), checks=())])
    polls = list(run(Judge(), [proved]))
    assert [poll.trajectory for poll in polls] == [done.id for done in proved.trajectories]
    points = [point.id for point in world.added]
    for poll in polls:
        assert poll.task == "tk_add"
        votes = [(ballot.keypoint, ballot.judge) for ballot in poll.ballots]
        assert votes == [(point, judge) for point in points for judge in ("state", "tree")]
    verdicts = list(run(Vote(), polls))
    assert all(isinstance(verdict, Verdict) for verdict in verdicts)
    assert {verdict.decision for verdict in verdicts} == {Decision.PASS}

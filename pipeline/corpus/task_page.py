"""What a task's page in the gallery shows, put together from rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from pipeline.corpus.reader import Reader
from pipeline.corpus.wording import caption_of
from schemas.action import Action
from schemas.task import Span
from schemas.task_rows import KeypointRow, ProofRow, StepRow, TaskRow, TrajectoryRow, VoteRow

_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


@dataclass(frozen=True)
class Piece:
    """A stretch of the instruction and what it is grounded in; ``source`` is empty for mere words."""

    text: str
    source: str = ""
    of: str = ""


@dataclass(frozen=True)
class StepView:
    """A step and its action as a sentence."""

    step: StepRow
    caption: str


@dataclass(frozen=True)
class RunView:
    """One execution."""

    trajectory: TrajectoryRow
    steps: tuple[StepView, ...]


@dataclass(frozen=True)
class JudgeView:
    """One judge's votes on one keypoint, over all executions."""

    judge: str
    votes: tuple[VoteRow, ...]

    @property
    def mood(self) -> str:
        """``no`` if it ever said no, ``yes`` if it ever said yes, else ``mute``."""
        said = {vote.met for vote in self.votes}
        return "no" if False in said else "yes" if True in said else "mute"


@dataclass(frozen=True)
class KeypointView:
    """A keypoint and what the judges said."""

    row: KeypointRow
    judges: tuple[JudgeView, ...]


@dataclass(frozen=True)
class TaskView:
    """One task with everything that proves it."""

    task: TaskRow
    pieces: tuple[Piece, ...]
    sisters: tuple[TaskRow, ...]
    """The same meaning in other languages, as far as the gallery shows it."""
    runs: tuple[RunView, ...]
    keypoints: tuple[KeypointView, ...]
    proofs: tuple[ProofRow, ...]

    @property
    def cover(self) -> StepRow:
        """The step that stands for the task: the last one that does something."""
        steps = [view.step for view in self.runs[0].steps]
        return next((step for step in reversed(steps) if not step.terminal), steps[-1])


def task_views(reader: Reader, ids: Sequence[str], shown: frozenset[str]) -> Iterator[TaskView]:
    """The views of some tasks, in the order given; ``shown`` are all tasks that have a page."""
    tasks = reader.by(TaskRow, "task_id", ids)
    groups = reader.by(TaskRow, "task_group_id", sorted({rows[0].task_group_id for rows in tasks.values()}))
    trajectories = reader.by(TrajectoryRow, "task_id", ids)
    steps = reader.by(StepRow, "task_id", ids)
    keypoints = reader.by(KeypointRow, "task_id", ids)
    votes = reader.by(VoteRow, "task_id", ids)
    proofs = reader.by(ProofRow, "task_id", ids)
    for name in ids:
        task = tasks[name][0]
        sisters = (other for other in groups[task.task_group_id] if other.task_id in shown)
        yield TaskView(
            task=task,
            pieces=tuple(pieces_of(task.instruction, task.spans)),
            sisters=tuple(other for other in sisters if other.lang != task.lang),
            runs=tuple(
                _run(run, steps[name]) for run in sorted(trajectories[name], key=lambda run: run.attempt)
            ),
            keypoints=tuple(
                _keypoint(row, votes[name]) for row in sorted(keypoints[name], key=lambda row: row.ordinal)
            ),
            proofs=tuple(sorted(proofs[name], key=lambda row: row.ordinal)),
        )


def pieces_of(text: str, spans: Sequence[Span]) -> Iterator[Piece]:
    """The text cut at its spans; of spans that overlap the earlier and longer one counts."""
    at = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start < at:
            continue
        if span.start > at:
            yield Piece(text[at : span.start])
        yield Piece(text[span.start : span.end], span.source, span.of)
        at = span.end
    if at < len(text):
        yield Piece(text[at:])


def _run(trajectory: TrajectoryRow, steps: Sequence[StepRow]) -> RunView:
    own = [step for step in steps if step.trajectory_id == trajectory.trajectory_id]
    captions = [caption_of(_ACTION.validate_json(step.action_json)) for step in own]
    return RunView(trajectory, tuple(map(StepView, own, captions)))


def _keypoint(row: KeypointRow, votes: Sequence[VoteRow]) -> KeypointView:
    cast: dict[str, list[VoteRow]] = {}
    for vote in votes:
        if vote.keypoint_id == row.keypoint_id:
            cast.setdefault(vote.judge, []).append(vote)
    return KeypointView(row, tuple(JudgeView(judge, tuple(cast[judge])) for judge in sorted(cast)))

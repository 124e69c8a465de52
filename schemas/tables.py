"""The tables of a corpus: which row type, which key, what refers to what. Data that the writer, the
reader, the quality report and the documentation share.
"""

from __future__ import annotations

from schemas.record import Record
from schemas.run import FileEntry
from schemas.task_rows import (
    KeypointRow,
    ProofRow,
    RejectRow,
    RunRow,
    StepRow,
    TaskRow,
    TrajectoryRow,
    VerdictRow,
    VoteRow,
)
from schemas.world_rows import (
    AppRow,
    CrawlRow,
    EdgeRow,
    ElementRow,
    FunctionRow,
    ImageRow,
    StateDumpRow,
    StateRow,
)

HIVE = ("platform", "lang")
"""Partition columns, outermost first. They are in the files as well, so a file stands on its own."""


class Reference(Record):
    """A foreign key: ``columns`` of this table name a row of ``table``; null refers to nothing."""

    columns: tuple[str, ...]
    table: str
    to: tuple[str, ...]


class Table(Record):
    """One table."""

    name: str
    row: type[Record]
    key: tuple[str, ...]
    """Primary key; rows are sorted by it within a file."""
    references: tuple[Reference, ...] = ()
    partitioned: bool = False
    """Whether its files lie in ``platform=…/lang=…`` folders."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(self.row.model_fields)


def _to(table: str, *pairs: str) -> Reference:
    """``"a"`` for a column of the same name, ``"a>b"`` for one that is called ``b`` over there."""
    ours, theirs = zip(*(pair.split(">") if ">" in pair else (pair, pair) for pair in pairs), strict=True)
    return Reference(columns=ours, table=table, to=theirs)


_STATES_OF_EDGE = (_to("states", "src_state_id>state_id"), _to("states", "dst_state_id>state_id"))
_STATES_OF_STEP = (_to("states", "state_before_id>state_id"), _to("states", "state_after_id>state_id"))
_IMAGES_OF_STEP = (_to("images", "image_before_id>image_id"), _to("images", "image_after_id>image_id"))
_ENDS = (_to("states", "initial_state_id>state_id"), _to("states", "final_state_id>state_id"))
_APP = _to("apps", "app_id")
_TASK = _to("tasks", "task_id")
_TRAJECTORY = _to("trajectories", "trajectory_id")

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(name="apps", row=AppRow, key=("app_id",)),
        Table(
            name="crawls",
            row=CrawlRow,
            key=("app_id", "lang"),
            references=(_APP, _to("states", "root_state_id>state_id")),
        ),
        Table(name="images", row=ImageRow, key=("image_id",)),
        Table(
            name="states",
            row=StateRow,
            key=("state_id",),
            references=(_APP, _to("images", "image_id")),
            partitioned=True,
        ),
        Table(
            name="state_dumps",
            row=StateDumpRow,
            key=("state_id", "kind"),
            references=(_to("states", "state_id"),),
        ),
        Table(
            name="elements",
            row=ElementRow,
            key=("state_id", "ordinal"),
            references=(_to("states", "state_id"),),
            partitioned=True,
        ),
        Table(
            name="edges",
            row=EdgeRow,
            key=("edge_id",),
            references=(_APP, *_STATES_OF_EDGE),
            partitioned=True,
        ),
        Table(
            name="functions",
            row=FunctionRow,
            key=("function_id", "lang"),
            references=(_APP, _to("functions", "parent_id>function_id", "lang")),
            partitioned=True,
        ),
        Table(
            name="tasks",
            row=TaskRow,
            key=("task_id",),
            references=(_APP, _to("states", "start_state_id>state_id")),
            partitioned=True,
        ),
        Table(name="keypoints", row=KeypointRow, key=("task_id", "keypoint_id"), references=(_TASK,)),
        Table(
            name="trajectories",
            row=TrajectoryRow,
            key=("trajectory_id",),
            references=(_APP, _TASK, _to("verdicts", "verdict_id"), *_ENDS),
            partitioned=True,
        ),
        Table(
            name="steps",
            row=StepRow,
            key=("trajectory_id", "step_index"),
            references=(
                _TRAJECTORY,
                _TASK,
                _to("edges", "edge_id"),
                *_STATES_OF_STEP,
                *_IMAGES_OF_STEP,
            ),
            partitioned=True,
        ),
        Table(name="proofs", row=ProofRow, key=("task_id", "gate"), references=(_TASK,)),
        Table(name="verdicts", row=VerdictRow, key=("verdict_id",), references=(_TASK, _TRAJECTORY)),
        Table(
            name="votes",
            row=VoteRow,
            key=("verdict_id", "ordinal"),
            references=(
                _to("verdicts", "verdict_id"),
                _TRAJECTORY,
                _to("keypoints", "task_id", "keypoint_id"),
            ),
        ),
        Table(name="rejects", row=RejectRow, key=("reject_id",)),
        Table(name="runs", row=RunRow, key=("run_id",)),
        Table(name="files", row=FileEntry, key=("path",)),
    )
}
"""Every table by name, in the order in which a reader would want to meet them."""

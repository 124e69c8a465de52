"""Numbers of a published run, recomputed from its shards: what ``status`` and ``show`` print and what the
data card says.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pipeline.corpus.layout import load_manifest
from pipeline.corpus.query import corpus
from schemas.proof import Gate
from schemas.record import Record
from schemas.run import Manifest

if TYPE_CHECKING:
    import duckdb


Row = TypeVar("Row", bound=Record)


class Tally(Record):
    """How many tasks (or items) share some properties."""

    of: tuple[str, ...]
    count: int


class GateTally(Record):
    """How one gate fared: Tasks that passed it, items that fell at it, executions that it took."""

    gate: str
    passed: int
    rejected: int
    executions: int
    had_to_fail: int
    """Executions that the verifier had to refuse."""
    wrongly_accepted: int


class Reach(Record):
    """What the exploration of one App in one language reached."""

    app: str
    lang: str
    licence: str
    states: int
    structures: int
    transitions: int
    clickables: int
    clickables_tried: int
    forms: int
    forms_tried: int
    routes: int
    routes_reached: int | None
    routes_known: int | None
    """Routes that the App lists itself and that a user can come to; None where it lists none."""
    lines: int | None
    """Lines of the App's own code that ran beyond those that starting it runs; None where not counted."""
    statements: int | None
    """Statements in the files of which a line ran."""
    functions: int
    tasks: int


class JudgeTally(Record):
    """How one judge voted."""

    judge: str
    met: int
    not_met: int
    abstained: int


class Summary(Record):
    """A published run in numbers."""

    run: str
    status: str
    counts: dict[str, int]
    bytes: int
    """Size of all files."""
    apps: tuple[Reach, ...]
    effects: tuple[Tally, ...]
    """(app, language, effect) → tasks."""
    writers: tuple[Tally, ...]
    """(language, writer, model) → tasks."""
    tiers: tuple[Tally, ...]
    """(tier) → tasks."""
    gates: tuple[GateTally, ...]
    rejections: tuple[Tally, ...]
    """(stage, reason, fault) → items."""
    judges: tuple[JudgeTally, ...]
    multilingual: int
    """Task groups with tasks in more than one language."""
    median_steps: float
    """Actions of a reference path, over all tasks; 0 without tasks."""

    @property
    def tasks(self) -> int:
        """Proven tasks."""
        return self.counts.get("tasks", 0)

    @property
    def routes_listed(self) -> bool:
        """Whether any App lists its own routes."""
        return any(reach.routes_known is not None for reach in self.apps)

    @property
    def lines_counted(self) -> bool:
        """Whether lines of any App were counted."""
        return any(reach.lines is not None for reach in self.apps)


def summary(run_dir: str | Path, manifest: Manifest | None = None) -> Summary:
    """The numbers of a run; ``manifest`` where it is not written yet.

    Raises:
        DatasetError: when the folder is no published run or a file of it cannot be read.
    """
    manifest = manifest or load_manifest(run_dir)
    with corpus(run_dir, manifest) as connection:
        return Summary(
            run=manifest.run,
            status=manifest.status,
            counts=manifest.counts,
            bytes=sum(entry.bytes for entry in manifest.files),
            apps=_records(connection, Reach, _REACH),
            effects=_tallies(connection, "tasks", "app", "lang", "effect"),
            writers=_tallies(connection, "tasks", "lang", "writer", "writer_model"),
            tiers=_tallies(connection, "tasks", "tier"),
            gates=_records(connection, GateTally, _GATES, {"gates": list(Gate)}),
            rejections=_tallies(connection, "rejects", "stage", "reason", "coalesce(fault, '')"),
            judges=_records(connection, JudgeTally, _JUDGES),
            multilingual=_number(connection, _MULTILINGUAL),
            median_steps=_number(connection, "SELECT coalesce(median(est_steps), 0) FROM tasks"),
        )


_REACH = """
    SELECT a.name AS app, c.lang, a.licence_spdx AS licence, c.states, c.structures, c.transitions,
           c.clickables, c.clickables_tried, c.forms, c.forms_tried, len(c.routes) AS routes,
           c.routes_reached, c.routes_known, c.lines, c.statements,
           (SELECT count(*) FROM functions AS f
            WHERE f.app_id = c.app_id AND f.lang = c.lang AND f.level = 'atomic') AS functions,
           (SELECT count(*) FROM tasks AS t WHERE t.app_id = c.app_id AND t.lang = c.lang) AS tasks
    FROM crawls AS c JOIN apps AS a USING (app_id) ORDER BY app, c.lang
"""
_GATES = """
    WITH gates AS (SELECT unnest($gates) AS gate, generate_subscripts($gates, 1) AS ordinal),
    passes AS (SELECT gate, count(*) FILTER (passed) AS passed FROM proofs GROUP BY gate),
    falls AS (SELECT reason AS gate, count(*) AS rejected FROM rejects GROUP BY reason),
    made AS (SELECT gate, unnest(executions) AS e FROM proofs),
    runs AS (
        SELECT gate, count(*) AS executions, count(*) FILTER (NOT e.expected) AS had_to_fail,
               count(*) FILTER (e.verified AND NOT e.expected) AS wrongly_accepted
        FROM made GROUP BY gate
    )
    SELECT gate, coalesce(passed, 0) AS passed, coalesce(rejected, 0) AS rejected,
           coalesce(executions, 0) AS executions, coalesce(had_to_fail, 0) AS had_to_fail,
           coalesce(wrongly_accepted, 0) AS wrongly_accepted
    FROM gates LEFT JOIN passes USING (gate) LEFT JOIN falls USING (gate) LEFT JOIN runs USING (gate)
    ORDER BY ordinal
"""
_JUDGES = """
    SELECT judge, count(*) FILTER (met) AS met, count(*) FILTER (NOT met) AS not_met,
           count(*) FILTER (met IS NULL) AS abstained
    FROM votes GROUP BY judge ORDER BY judge
"""
_MULTILINGUAL = """
    SELECT count(*) FROM (
        SELECT task_group_id FROM tasks GROUP BY task_group_id HAVING count(DISTINCT lang) > 1
    )
"""


def _records(
    connection: duckdb.DuckDBPyConnection, kind: type[Row], sql: str, values: dict[str, Any] | None = None
) -> tuple[Row, ...]:
    """A query's rows as Records; its columns are their fields, in order."""
    rows = connection.execute(sql, values).fetchall()
    return tuple(kind.model_validate(dict(zip(kind.model_fields, row, strict=True))) for row in rows)


def _tallies(connection: duckdb.DuckDBPyConnection, table: str, *columns: str) -> tuple[Tally, ...]:
    """Rows of a table by some columns, most first."""
    by = ", ".join(columns)
    sql = f"SELECT {by}, count(*) AS items FROM {table} GROUP BY ALL ORDER BY items DESC, {by}"  # noqa: S608 - names of ours
    return tuple(Tally(of=row[:-1], count=row[-1]) for row in connection.execute(sql).fetchall())


def _number(connection: duckdb.DuckDBPyConnection, sql: str) -> Any:
    return connection.execute(sql).fetchall()[0][0]

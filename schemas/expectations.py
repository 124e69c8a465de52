"""What must hold of every corpus, as data: expectations on columns, and invariants across rows and tables
whose violations an SQL statement lists. Nothing here knows how they are checked.
"""

from __future__ import annotations

from typing import Literal

from schemas.arrow import closed_set, schema_of
from schemas.invariants import INVARIANTS, Invariant
from schemas.record import Record
from schemas.tables import TABLES, Reference, Table

BULK = frozenset({"elements", "state_dumps"})
"""Tables whose columns are checked by SQL alone: they are never brought into memory."""


class Expectation(Record):
    """One rule on one column (on several together for ``unique``); null counts only for ``not_null``."""

    table: str
    columns: tuple[str, ...]
    rule: Literal["unique", "not_null", "in_set", "between"]
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def expectations() -> tuple[Expectation, ...]:
    """All column rules: keys, closed sets and references from the tables, ranges from ``_RANGES``."""
    derived = (rule for table in TABLES.values() if table.name not in BULK for rule in _columns(table))
    return (*derived, *_RANGES)


def invariants() -> tuple[Invariant, ...]:
    """All rules across rows: keys of bulk tables and foreign keys from the tables, the others by hand."""
    keys = (_unique(table) for table in TABLES.values() if table.name in BULK)
    references = (_refers(table, to) for table in TABLES.values() for to in table.references)
    return (*keys, *references, *INVARIANTS)


def _columns(table: Table) -> tuple[Expectation, ...]:
    schema = schema_of(table.row)
    named = {*table.key, *(column for to in table.references for column in to.columns)}
    needed = tuple(
        column for column in table.columns if column in named and not schema.field(column).nullable
    )
    closed = ((name, closed_set(info.annotation)) for name, info in table.row.model_fields.items())
    return (
        Expectation(table=table.name, columns=table.key, rule="unique"),
        *(Expectation(table=table.name, columns=(column,), rule="not_null") for column in needed),
        *(
            Expectation(table=table.name, columns=(name,), rule="in_set", values=allowed)
            for name, allowed in closed
            if allowed
        ),
    )


def _between(table: str, column: str, low: float | None, high: float | None = None) -> Expectation:
    return Expectation(table=table, columns=(column,), rule="between", low=low, high=high)


_RANGES = (
    _between("images", "width_px", 1, 20_000),
    _between("images", "height_px", 1, 20_000),
    _between("states", "width_px", 1, 20_000),
    _between("states", "scale", 0.1, 10),
    _between("crawls", "routes_reached", 0),
    _between("crawls", "routes_known", 1),
    _between("crawls", "lines", 0),
    _between("crawls", "statements", 1),
    _between("tasks", "est_steps", 1, 200),
    _between("tasks", "n_keypoints", 1),
    _between("trajectories", "n_steps", 1, 200),
    _between("steps", "step_index", 0, 200),
    _between("verdicts", "agreement", 0, 1),
    _between("verdicts", "n_votes", 1),
    _between("votes", "confidence", 0, 1),
)


def _unique(table: Table) -> Invariant:
    key = ", ".join(table.key)
    return Invariant(
        name=f"{table.name}_unique",
        sentence=f"({key}) names one row of {table.name}",
        violations=f"SELECT concat_ws(' ', {key}) FROM {table.name} "  # noqa: S608 - names of ours
        f"GROUP BY {key} HAVING count(*) > 1",
    )


def _refers(table: Table, to: Reference) -> Invariant:
    pairs = list(zip(to.columns, to.to, strict=True))
    ours = ", ".join(to.columns)
    given = " AND ".join(f"a.{column} IS NOT NULL" for column in to.columns)
    match = " AND ".join(f"a.{column} = b.{other}" for column, other in pairs)
    return Invariant(
        name=f"{table.name}_{'_'.join(to.columns)}_in_{to.table}",
        sentence=f"{table.name} ({ours}) is found in {to.table}",
        violations=f"SELECT concat_ws(' ', {', '.join(f'a.{column}' for column in to.columns)}) "  # noqa: S608 - names of ours
        f"FROM {table.name} AS a ANTI JOIN {to.table} AS b ON {match} WHERE {given}",
    )

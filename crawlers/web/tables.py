"""The Tables of an SQLite database as they are at one moment, and how two moments differ."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from schemas.effect import DataChange

MAGIC = b"SQLite format 3\0"
"""How a database file begins (https://www.sqlite.org/fileformat.html)."""
MOST = 20_000
"""Rows above which only a table's size is compared."""
BUSY_S = 1.0
"""How long a database may be locked by the App."""

Row = tuple[object, ...]


@dataclass(frozen=True)
class Table:
    """Rows by what identifies them: the primary key, else the whole row."""

    columns: tuple[str, ...]
    rows: Mapping[Row, Row]
    size: int


Tables = Mapping[str, Table]
"""By name. Virtual tables and those that serve them are left out: they repeat what others say."""


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def read(path: Path) -> Tables | None:
    """Everything in a database; None where it cannot be read now."""
    try:
        base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_S)
    except sqlite3.Error:
        return None
    try:
        base.text_factory = bytes  # what an App calls text need not be any
        names = base.execute("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
        found = [name.decode() for (name,) in names]
        return {name: _table(base, name) for name in sorted(found) if not name.startswith("sqlite_")}
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    finally:
        base.close()


def _table(base: sqlite3.Connection, name: str) -> Table:
    about = base.execute("SELECT name, pk FROM pragma_table_info(?)", (name,)).fetchall()
    columns = tuple(column.decode() for column, _ in about)
    quoted = '"' + name.replace('"', '""') + '"'
    (size,) = base.execute(f"SELECT count(*) FROM {quoted}").fetchone()  # noqa: S608 - a name, quoted
    if size > MOST:
        return Table(columns, {}, size)
    key = [at for at, (_, place) in enumerate(about) if place]
    rows = base.execute(f"SELECT * FROM {quoted}")  # noqa: S608 - as above
    keyed = {tuple(row[at] for at in key): row for row in rows} if key else _counted(rows)
    return Table(columns, keyed, size)


def _counted(rows: Iterator[Row] | sqlite3.Cursor) -> dict[Row, Row]:
    """Rows without a key are told apart by what they hold; equal ones are numbered."""
    seen: Counter[Row] = Counter()
    keyed: dict[Row, Row] = {}
    for row in rows:
        seen[row] += 1
        keyed[*row, seen[row]] = row
    return keyed


def changes(store: str, before: Tables, after: Tables) -> Iterator[DataChange]:
    """What is different, a table each, by name."""
    for name in sorted(before.keys() | after.keys()):
        nothing = Table((), {}, 0)
        old, new = before.get(name, nothing), after.get(name, nothing)
        if old != new:
            yield _change(store, name, old, new)


def _change(store: str, name: str, old: Table, new: Table) -> DataChange:
    if max(old.size, new.size) > MOST:
        more = new.size - old.size
        return DataChange(store=store, table=name, inserted=max(more, 0), deleted=max(-more, 0))
    updated = [key for key in old.rows.keys() & new.rows.keys() if old.rows[key] != new.rows[key]]
    touched = {
        column
        for key in updated
        for column, was, now in zip(new.columns, old.rows[key], new.rows[key], strict=False)
        if was != now
    }
    return DataChange(
        store=store,
        table=name,
        inserted=len(new.rows.keys() - old.rows.keys()),
        updated=len(updated),
        deleted=len(old.rows.keys() - new.rows.keys()),
        columns=tuple(column for column in new.columns if column in touched),
    )

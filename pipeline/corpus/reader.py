"""Rows of a published run as the Records that they were written from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from schemas.arrow import rows_of, schema_of
from schemas.record import Record
from schemas.tables import TABLES

if TYPE_CHECKING:
    import duckdb

Row = TypeVar("Row", bound=Record)

_TABLE_OF = {table.row: table for table in TABLES.values()}


@dataclass(frozen=True)
class Reader:
    """Reads whole rows through a connection that has the run's views."""

    connection: duckdb.DuckDBPyConnection

    def all(self, kind: type[Row], **equal: str) -> list[Row]:
        """The rows whose columns equal the given values, in the order of their key."""
        return self._rows(kind, " AND ".join(f"{column} = ${column}" for column in equal), dict(equal))

    def by(self, kind: type[Row], column: str, values: Sequence[str]) -> dict[str, list[Row]]:
        """Value → the rows whose column has it, in the order of their key; every value is there."""
        found: dict[str, list[Row]] = {value: [] for value in values}
        for row in self._rows(kind, f"list_contains($values, {column})", {"values": list(values)}):
            found[getattr(row, column)].append(row)
        return found

    def _rows(self, kind: type[Row], where: str, values: dict[str, str | list[str]]) -> list[Row]:
        table = _TABLE_OF[kind]
        columns = ", ".join(f'"{name}"' for name in schema_of(kind).names)
        key = ", ".join(table.key)
        sql = f"SELECT {columns} FROM {table.name} WHERE {where or 'true'} ORDER BY {key}"  # noqa: S608 - names of ours
        return list(rows_of(kind, self.connection.sql(sql, params=values).to_arrow_table()))

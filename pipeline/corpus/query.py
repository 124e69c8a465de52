"""SQL over one run. A user's statement runs in a DuckDB that may touch no file at all, no network, no
extension and no setting that would undo this: it is handed the run's tables as Arrow datasets.

Allowing just the run's files would not do: DuckDB writes where it may read, and ``COPY`` hides in a CTE.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.corpus.layout import files_of, load_manifest, lost_files
from pipeline.corpus.views import views_of
from pipeline.errors import ConfigError, DatasetError
from schemas.arrow import schema_of
from schemas.run import Manifest
from schemas.tables import TABLES

if TYPE_CHECKING:
    import duckdb

MAX_ROWS = 10_000
"""Rows handed back at most; whoever wants more reads the Parquet files."""

_NO_SPILL: dict[str, str | bool | int | float | list[str]] = {"temp_directory": ""}


@dataclass(frozen=True)
class Answer:
    """What a query gave."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """Plain Python values; structs are dicts, lists are lists, images are bytes."""
    truncated: bool = False
    """Whether there were more rows than were asked for."""


def query(run_dir: str | Path, sql: str, limit: int = MAX_ROWS) -> Answer:
    """The answer to one SELECT statement over the run's tables.

    Raises:
        ConfigError: when the SQL is wrong or wants more than to read this run.
        DatasetError: when the folder is no published run or a file of it cannot be read.
    """
    import duckdb  # noqa: PLC0415 - only who asks pays for it

    with _sandbox(Path(run_dir)) as connection:
        try:
            _only_select(connection, sql)
            result = connection.execute(sql)
            columns = tuple(str(column[0]) for column in result.description or ())
            rows = result.fetchmany(limit + 1)
        except duckdb.PermissionException:
            raise ConfigError("only the tables of this run can be read; SHOW TABLES lists them") from None
        except duckdb.Error as error:
            if _STREAM in str(error):
                raise DatasetError(f"a file of {run_dir} cannot be read: {_sentence(error)}") from error
            raise ConfigError(f"the query does not run: {_sentence(error)}") from error
    return Answer(columns, tuple(tuple(row) for row in rows[:limit]), truncated=len(rows) > limit)


@contextmanager
def corpus(run_dir: str | Path, manifest: Manifest | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB with a view for every table, for our own statements; ``manifest`` where none is written yet.

    Raises:
        DatasetError: when the folder is no published run or a file of it is missing or damaged.
    """
    import duckdb  # noqa: PLC0415

    root = Path(run_dir).resolve()
    manifest = manifest or _whole(root)
    with duckdb.connect(":memory:", config=_NO_SPILL) as connection:
        connection.execute("SET enable_progress_bar = false")
        try:
            for statement in views_of(manifest, f"{root}/").values():
                connection.execute(statement)
            yield connection
        except (duckdb.IOException, duckdb.InvalidInputException) as error:
            raise DatasetError(f"a file of {run_dir} cannot be read: {_sentence(error)}") from error


@contextmanager
def _sandbox(root: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB that knows the tables and is locked in."""
    import duckdb  # noqa: PLC0415
    import pyarrow.dataset as ds  # noqa: PLC0415

    manifest = _whole(root)
    with duckdb.connect(":memory:", config=_NO_SPILL) as connection:
        connection.execute("SET python_enable_replacements = false")
        for name, table in TABLES.items():
            paths = [str(root / path) for path in files_of(manifest, name)]
            connection.register(name, ds.dataset(paths, schema=schema_of(table.row), format="parquet"))
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection


def _whole(root: Path) -> Manifest:
    """The manifest of a run of whose files none is missing or cut short."""
    manifest = load_manifest(root)
    lost = lost_files(root, manifest)
    if lost:
        raise DatasetError(f"{lost[0]}; publish the run again")
    return manifest


def _only_select(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """The lock keeps everything safe; this keeps the answer plain."""
    import duckdb  # noqa: PLC0415

    statements = connection.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise ConfigError("give exactly one SELECT statement (WITH, FROM, DESCRIBE and SHOW count as such)")


_STREAM = "reading the stream registered as"
"""How DuckDB begins its report of a dataset that could not be read."""


def _sentence(error: Exception) -> str:
    """The first line of an error without its class; the rest draws the place with carets."""
    first = next(iter(str(error).strip().splitlines()), "unknown error")
    line = first.partition("Error: ")[2] or first
    return line if len(line) <= 300 else f"{line[:299]}…"

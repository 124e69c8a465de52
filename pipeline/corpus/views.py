"""SQL that makes one DuckDB view per table, from the manifest's file list and never from a glob: files
of an earlier run, or damaged ones that nobody vouches for, are not read.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from pipeline.corpus.layout import EXAMPLES, VIEWS
from schemas.run import Manifest
from schemas.tables import HIVE, TABLES


def view_of(table: str, paths: tuple[str, ...]) -> str:
    """``CREATE VIEW`` over the given files. Hive columns are text even where they look like numbers."""
    options = ["union_by_name = true"]
    if TABLES[table].partitioned and all(f"/{HIVE[0]}=" in path for path in paths):
        types = ", ".join(f"'{column}': VARCHAR" for column in HIVE)
        options += ["hive_partitioning = true", f"hive_types = {{{types}}}"]
    else:
        options += ["hive_partitioning = false"]
    files = ", ".join(quoted(path) for path in paths)
    columns = ", ".join(f'"{column}"' for column in TABLES[table].columns)
    return (
        f"CREATE OR REPLACE VIEW {table} AS SELECT {columns}\n"
        f"FROM read_parquet([{files}], {', '.join(options)});"
    )


def quoted(text: str) -> str:
    """An SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def views_of(manifest: Manifest, root: str = "") -> dict[str, str]:
    """Table → statement; ``root`` is put before every path."""
    paths: dict[str, list[str]] = {}
    for entry in manifest.files:
        paths.setdefault(entry.table, []).append(f"{root}{entry.path}")
    return {table: view_of(table, tuple(paths[table])) for table in TABLES if table in paths}


def write_views(manifest: Manifest, run_dir: Path) -> None:
    """Write ``views.sql`` and ``example_queries.sql``; run them from inside the run folder."""
    heading = (
        f"-- Views over run {manifest.run}. Inside this folder: duckdb -init {VIEWS}\n"
        f"-- Then try the statements of {EXAMPLES}.\n\n"
    )
    statements = "\n\n".join(views_of(manifest).values())
    run_dir.joinpath(VIEWS).write_text(f"{heading}{statements}\n", "utf-8")
    run_dir.joinpath(EXAMPLES).write_text(example_queries(), "utf-8")


def example_queries() -> str:
    """The example statements, each under a comment that says what it asks."""
    return resources.files("pipeline.corpus").joinpath("assets", EXAMPLES).read_text("utf-8")

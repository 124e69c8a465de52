from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.corpus.layout import MANIFEST
from pipeline.corpus.query import query
from pipeline.errors import ConfigError, DatasetError


def test_columns_and_rows(published: Path) -> None:
    answer = query(published, "SELECT lang, count(*) AS n FROM tasks GROUP BY lang ORDER BY lang")
    assert answer.columns == ("lang", "n")
    assert answer.rows == (("en", 3), ("zh-Hans", 3))
    assert not answer.truncated


def test_structs_maps_and_bytes_are_plain_values(published: Path) -> None:
    ((action, codes, png),) = query(
        published,
        """SELECT action, (SELECT locale_codes FROM apps), (SELECT bytes FROM images LIMIT 1)
           FROM steps WHERE action.kind = 'select' LIMIT 1""",
    ).rows
    assert action["value"] == "1"
    assert codes == {"en": "en", "zh-Hans": "zh_Hans"}
    assert png.startswith(b"\x89PNG")


def test_long_answers_are_cut_and_say_so(published: Path) -> None:
    answer = query(published, "SELECT * FROM votes", limit=5)
    assert len(answer.rows) == 5
    assert answer.truncated


@pytest.mark.parametrize(
    "sql", ["SHOW TABLES", "DESCRIBE tasks", "FROM tasks LIMIT 1", "WITH x AS (FROM tasks) FROM x"]
)
def test_what_counts_as_select(published: Path, sql: str) -> None:
    assert query(published, sql).rows


FORBIDDEN = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM read_parquet('{parquet}')",
    "COPY tasks TO '{out}'",
    "COPY (SELECT 1) TO '{parquet}' (USE_TMP_FILE false)",
    "WITH x AS (COPY (SELECT 1) TO '{parquet}' (USE_TMP_FILE false)) SELECT 1",
    "WITH x AS (COPY (SELECT 1) TO '{out}') SELECT 1",
    "EXPLAIN ANALYZE COPY tasks TO '{out}'",
    "EXPORT DATABASE '{out}'",
    "ATTACH '{out}'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "CREATE TABLE mine AS SELECT 1",
    "DROP VIEW tasks",
    "CALL enable_logging(storage = 'file', storage_path = '{out}')",
    "SELECT * FROM enable_logging(storage = 'file', storage_path = '{out}')",
    "SELECT 1; SELECT 2",
    "",
]


@pytest.mark.parametrize("sql", FORBIDDEN)
def test_nothing_but_the_run_can_be_read_and_nothing_written(run_dir: Path, tmp_path: Path, sql: str) -> None:
    out = tmp_path / "out"
    parquet = run_dir / "shards/apps/part-00000.parquet"
    before = parquet.read_bytes()
    with pytest.raises(ConfigError) as error:
        query(run_dir, sql.format(out=out, parquet=parquet))
    assert "\n" not in str(error.value)
    assert not out.exists()
    assert parquet.read_bytes() == before


@pytest.mark.parametrize(
    "sql, says",
    [("SELECT nothing FROM tasks", "nothing"), ("SELEC 1", "syntax error"), ("FROM nowhere", "nowhere")],
)
def test_bad_sql_is_one_sentence(published: Path, sql: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as error:
        query(published, sql)
    assert "\n" not in str(error.value)


def test_python_variables_are_no_tables(published: Path) -> None:
    import pandas as pd  # noqa: PLC0415

    frame = pd.DataFrame({"a": [1]})
    with pytest.raises(ConfigError, match="frame"):
        query(published, "SELECT * FROM frame")
    assert len(frame) == 1


def test_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no published run"):
        query(tmp_path, "SELECT 1")


def test_damaged_manifest_is_one_sentence(run_dir: Path) -> None:
    (run_dir / MANIFEST).write_text('{"run": 1')
    with pytest.raises(DatasetError, match="damaged") as error:
        query(run_dir, "SELECT 1")
    assert "\n" not in str(error.value)


def test_truncated_file_is_one_sentence(run_dir: Path) -> None:
    path = run_dir / "shards/votes/part-00000.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DatasetError, match="votes"):
        query(run_dir, "SELECT count(*) FROM tasks")


def test_scrambled_file_is_one_sentence(run_dir: Path) -> None:
    path = run_dir / "shards/votes/part-00000.parquet"
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(DatasetError, match="cannot be read"):
        query(run_dir, "SELECT * FROM votes")

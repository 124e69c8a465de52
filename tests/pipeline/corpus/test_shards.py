from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from pipeline.corpus import parts, shards
from pipeline.corpus.images import ImageStore
from pipeline.corpus.layout import load_manifest
from pipeline.corpus.query import query
from pipeline.corpus.shards import Content, publish
from pipeline.errors import DatasetError
from schemas.arrow import fingerprint, schema_of
from schemas.proof import Proved
from schemas.rejection import Rejection
from schemas.run import Manifest
from schemas.tables import TABLES
from schemas.verdict import Decision, Verdict

Without = Callable[..., Content]


def column(root: Path, sql: str) -> list[object]:
    return [row[0] for row in query(root, sql).rows]


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.parent.name not in {"runs", "files"}
    }


def test_every_table_is_there_with_its_schema(run_dir: Path) -> None:
    manifest = load_manifest(run_dir)
    assert {entry.table for entry in manifest.files} == set(TABLES)
    for entry in manifest.files:
        with pq.ParquetFile(run_dir / entry.path) as file:
            assert fingerprint(file.schema_arrow) == fingerprint(schema_of(TABLES[entry.table].row))
            assert file.metadata.num_rows == entry.rows


def test_counts_are_those_of_the_content(run_dir: Path) -> None:
    counts = load_manifest(run_dir).counts
    assert (counts["tasks"], counts["trajectories"], counts["proofs"], counts["crawls"]) == (6, 12, 48, 2)
    assert (
        counts["steps"] == sum(query(run_dir, "SELECT n_steps FROM trajectories").rows, ())[0:0].__len__()
        or 40
    )
    assert load_manifest(run_dir).rejected == {"prove/necessary": 1}


def test_partitions_are_named_after_their_rows(run_dir: Path) -> None:
    paths = [entry.path for entry in load_manifest(run_dir).files if entry.table == "tasks"]
    assert paths == [
        f"shards/tasks/platform=web/lang={lang}/part-00000.parquet" for lang in ("en", "zh-Hans")
    ]


def test_steps_keep_pixels_screens_and_edges(run_dir: Path) -> None:
    rows = query(
        run_dir,
        """SELECT s.step_index, s.action.kind, s.action.x, s.target_box.x1, s.terminal, s.edge_id IS NOT NULL,
                  s.image_before_id = i.image_id, s.side_effects
           FROM steps AS s JOIN tasks AS t USING (task_id) JOIN images AS i ON i.image_id = s.image_before_id
           WHERE t.verb = 'add' AND s.lang = 'en' AND s.trajectory_id = (SELECT min(trajectory_id)
                 FROM steps JOIN tasks USING (task_id) WHERE verb = 'add' AND steps.lang = 'en')
           ORDER BY s.step_index""",
    ).rows
    assert [row[1] for row in rows] == ["click", "type", "type", "select", "click", "finish"]
    assert rows[0][2:5] == (186, 140, False)
    assert rows[-1][2:5] == (None, None, True)
    assert [row[5] for row in rows] == [True] * 5 + [False]
    assert rows[4][7] == ["POST /add"]


def test_images_lie_in_the_order_of_their_use(run_dir: Path) -> None:
    with pq.ParquetFile(run_dir / "shards/images/part-00000.parquet") as file:
        stored = file.read(["image_id"])["image_id"].to_pylist()
        codecs = {file.metadata.row_group(0).column(at).compression for at in range(5)}
        assert file.metadata.row_group(0).column(5).compression == "UNCOMPRESSED"
    assert codecs == {"ZSTD"}
    used = column(
        run_dir,
        """SELECT image_before_id FROM steps JOIN trajectories USING (trajectory_id)
           ORDER BY steps.task_id, attempt, step_index""",
    )
    assert stored[: len(set(used))] == list(dict.fromkeys(used))
    assert len(stored) == len(set(stored))


def test_same_content_gives_the_same_bytes(tmp_path: Path, content: Content, head: Manifest) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    publish(str(first), content, head)
    publish(str(second), content, head)
    assert tree(first / "shards") == tree(second / "shards")


def test_order_of_arrival_does_not_show(
    tmp_path: Path, content: Content, head: Manifest, without: Without
) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    publish(str(first), content, head)
    proved = list(content.proved())[::-1]
    publish(str(second), without(content, proved=lambda: iter(proved)), head)
    assert tree(first / "shards") == tree(second / "shards")


def test_publishing_again_leaves_nothing_behind(
    run_dir: Path, content: Content, head: Manifest, without: Without
) -> None:
    (run_dir / "gallery").mkdir()
    only_english = [item for item in content.proved() if item.task.plan.lang == "en"]
    publish(str(run_dir), without(content, proved=lambda: iter(only_english)), head)
    assert column(run_dir, "SELECT DISTINCT lang FROM tasks") == ["en"]
    known = {entry.path for entry in load_manifest(run_dir).files}
    assert {path.relative_to(run_dir).as_posix() for path in run_dir.rglob("*.parquet")} == known
    assert not (run_dir / "gallery").exists()
    assert not (run_dir / shards.SCRATCH).exists()


def test_a_task_needs_passing_verdicts_on_all_trajectories(
    tmp_path: Path, content: Content, head: Manifest, without: Without
) -> None:
    def verdicts() -> Iterator[Verdict]:
        first, second, *others = content.verdicts()
        yield first
        yield second.model_copy(update={"decision": Decision.FAIL})
        yield from others[1:]  # and one is missing altogether

    publish(str(tmp_path / "run"), without(content, verdicts=verdicts), head)
    left = {item.task.id for item in list(content.proved())[2:]}
    assert set(column(tmp_path / "run", "SELECT task_id FROM tasks")) == left
    assert set(column(tmp_path / "run", "SELECT DISTINCT task_id FROM verdicts")) == left


def test_items_that_come_twice_are_written_once(
    tmp_path: Path, content: Content, head: Manifest, without: Without
) -> None:
    def twice() -> Iterator[Proved]:
        yield from content.proved()
        yield from content.proved()

    manifest = publish(str(tmp_path / "run"), without(content, proved=twice), head)
    assert (manifest.counts["tasks"], manifest.counts["steps"], manifest.counts["rejects"]) == (6, 40, 1)


def test_an_empty_run_has_all_tables(
    tmp_path: Path, content: Content, head: Manifest, without: Without
) -> None:
    def nothing() -> Iterator[Rejection]:
        return iter(())

    empty = without(
        content, graphs=nothing, trees=nothing, proved=nothing, verdicts=nothing, rejections=nothing
    )
    publish(str(tmp_path / "run"), empty, head)
    assert query(tmp_path / "run", "SELECT * FROM steps").rows == ()
    assert "edge_id" in query(tmp_path / "run", "SELECT * FROM steps").columns


def test_files_roll_and_stay_sorted(
    tmp_path: Path, content: Content, head: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "BATCH_ROWS", 8)
    monkeypatch.setattr(parts, "FILE_BYTES", 6_000)
    monkeypatch.setattr(parts, "GROUP_BYTES", 4_000)
    manifest = publish(str(tmp_path / "run"), content, head)
    files = [entry for entry in manifest.files if entry.table == "elements"]
    assert len(files) > 3
    assert column(tmp_path / "run", "SELECT count(*) FROM elements") == [120]
    for entry in files:
        table = pq.read_table(
            tmp_path / "run" / entry.path, columns=["state_id", "ordinal"], partitioning=None
        )
        keys = [(row["state_id"], row["ordinal"]) for row in table.to_pylist()]
        assert keys == sorted(keys)
    images = [entry for entry in manifest.files if entry.table == "images"]
    with pq.ParquetFile(tmp_path / "run" / images[0].path) as file:
        groups = [file.metadata.row_group(at) for at in range(file.num_row_groups)]
    assert all(group.num_rows == 1 or group.total_byte_size < 3 * 4_000 for group in groups)


def test_lone_surrogates_do_not_stop_a_table(
    tmp_path: Path, content: Content, head: Manifest, without: Without, caplog: pytest.LogCaptureFixture
) -> None:
    odd = Rejection(stage="x", item="i", reason="r", text="\ud83d设置")
    publish(str(tmp_path / "run"), without(content, rejections=lambda: iter((odd,))), head)
    assert column(tmp_path / "run", "SELECT text FROM rejects") == ["�设置"]
    assert "rejects: 1 lone surrogates were replaced" in caplog.text


def test_secrets_of_a_recipe_are_nowhere(run_dir: Path) -> None:
    assert not [
        path for path in run_dir.rglob("*") if path.is_file() and b"sesame-open-1" in path.read_bytes()
    ]


def test_a_full_disk_is_one_sentence_and_keeps_the_old_corpus(
    run_dir: Path, content: Content, head: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (run_dir / "manifest.json").read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(parts, "_write", full)
    with pytest.raises(DatasetError, match="No space left on device"):
        publish(str(run_dir), content, head)
    assert (run_dir / "manifest.json").read_bytes() == before
    assert not (run_dir / shards.SCRATCH).exists()
    assert len(column(run_dir, "SELECT task_id FROM tasks")) == 6


def test_a_lost_screenshot_is_one_sentence(
    tmp_path: Path, content: Content, head: Manifest, without: Without
) -> None:
    lost = without(content, images=ImageStore(str(tmp_path / "nowhere")))
    with pytest.raises(DatasetError, match="cannot be read"):
        publish(str(tmp_path / "run"), lost, head)
    assert not (tmp_path / "run" / "manifest.json").exists()


def test_views_and_examples_run_in_plain_duckdb(run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run_dir)
    with duckdb.connect(":memory:") as connection:
        connection.execute(Path("views.sql").read_text("utf-8"))
        statements = connection.extract_statements(Path("example_queries.sql").read_text("utf-8"))
        answers = [connection.execute(statement).fetchall() for statement in statements]
    assert len(answers) >= 8
    assert all(answers)

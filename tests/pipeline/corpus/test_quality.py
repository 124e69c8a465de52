from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from pipeline.corpus.layout import MANIFEST, load_manifest
from pipeline.corpus.parts import sha256_of
from pipeline.corpus.quality import QualityReport, check, violations_of
from pipeline.corpus.query import corpus
from pipeline.errors import DatasetError
from schemas.expectations import invariants

Change = Callable[[pa.Table], pa.Table]
Fits = Callable[[pa.Table], pa.Array]


def rewrite(run_dir: Path, table: str, change: Change) -> None:
    """Change a table's rows (its English ones) and make the manifest agree, as a faulty writer would."""
    manifest = load_manifest(run_dir)
    entries = []
    for was in manifest.files:
        entry = was
        if entry.table == table and "lang=zh-Hans" not in entry.path:
            path = run_dir / entry.path
            with pq.ParquetFile(path) as file:
                changed = change(file.read())
            pq.write_table(changed, path)
            changes = {"sha256": sha256_of(path), "bytes": path.stat().st_size, "rows": changed.num_rows}
            entry = entry.model_copy(update=changes)
        entries.append(entry)
    counts = dict(manifest.counts)
    counts[table] = sum(entry.rows for entry in entries if entry.table == table)
    renewed = manifest.model_copy(update={"files": tuple(entries), "counts": counts})
    (run_dir / MANIFEST).write_text(renewed.model_dump_json())


def put(name: str, value: object, where: Fits | None = None) -> Change:
    """Set a column of the rows that fit (of all without ``where``)."""

    def change(table: pa.Table) -> pa.Table:
        field = table.schema.field(name)
        fits = where(table).to_pylist() if where else [True] * table.num_rows
        column = [value if fit else old for fit, old in zip(fits, table[name].to_pylist(), strict=True)]
        return table.set_column(table.schema.get_field_index(name), field, pa.array(column, field.type))

    return change


def inside(name: str, part: str, value: object, where: str) -> Change:
    """Set one part of a struct column in rows of one kind of action."""

    def change(table: pa.Table) -> pa.Table:
        rows = table.to_pylist(maps_as_pydicts="strict")
        for row in rows:
            if row["action"]["kind"] == where and row[name] is not None:
                row[name][part] = value
        return pa.Table.from_pylist(rows, table.schema)

    return change


def drop(keep: Fits) -> Change:
    return lambda table: table.filter(keep(table))


def step_is(index: int) -> Fits:
    return lambda table: pc.equal(table["step_index"], index)


BREAKERS = {
    "steps_contiguous": ("steps", drop(lambda t: pc.not_equal(t["step_index"], 1))),
    "observations_chain": ("steps", put("state_before_id", "st_0", step_is(1))),
    "terminal_row": ("steps", put("terminal", value=False)),
    "replayed_twice": ("trajectories", drop(lambda t: pc.equal(t["attempt"], 0))),
    "replays_with_images": ("steps", put("image_after_id", None, step_is(0))),
    "all_gates_passed": ("proofs", drop(lambda t: pc.not_equal(t["gate"], "fresh"))),
    "verdicts_pass": ("verdicts", put("decision", "unsure")),
    "keypoints_complete": ("tasks", put("n_keypoints", 9)),
    "spans_inside": ("tasks", put("instruction", "Add")),
    "point_inside_image": ("steps", inside("action", "x", 640, "click")),
    "point_inside_box": ("steps", inside("action", "x", 1, "click")),
    "box_inside_image": ("steps", inside("target_box", "x2", 641, "click")),
    "box_not_the_screen": (
        "steps",
        put("target_box", {"x1": 0, "y1": 0, "x2": 640, "y2": 380}, lambda t: pc.equal(t["effect"], "set")),
    ),
    "elements_in_order": ("elements", put("parent", 500)),
    "no_elements_on_blank": ("states", put("quality", "blank")),
    "image_is_its_hash": ("images", put("bytes", b"\x89PNG")),
    "routes_reached_are_known": (
        "crawls",
        put("routes_reached", 5, lambda t: pc.is_valid(t["routes_reached"])),
    ),
    "lines_are_statements": ("crawls", put("lines", 91, lambda t: pc.is_valid(t["lines"]))),
    "languages_agree": ("functions", drop(lambda t: pc.equal(t["level"], "capability"))),
    "elements_unique": ("elements", put("ordinal", 1)),
    "steps_edge_id_in_edges": ("steps", put("edge_id", "ed_0", step_is(0))),
    "votes_task_id_keypoint_id_in_keypoints": ("keypoints", drop(lambda t: pc.equal(t["ordinal"], 0))),
    "state_dumps_unique": ("state_dumps", put("state_id", "st_0")),
}


@pytest.mark.parametrize("name", BREAKERS)
def test_every_invariant_can_fail(run_dir: Path, name: str) -> None:
    table, change = BREAKERS[name]
    rewrite(run_dir, table, change)
    with corpus(run_dir) as connection:
        broken = {rule.name for rule in invariants() if violations_of(connection, rule).count}
    assert name in broken


def test_hand_written_invariants_all_have_a_breaker() -> None:
    by_hand = {rule.name for rule in invariants() if "_in_" not in rule.name or rule.name.endswith("order")}
    assert by_hand - set(BREAKERS) <= {"verifier_as_expected"}


def test_a_verifier_that_accepted_a_near_miss_is_found(run_dir: Path) -> None:
    def change(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        for row in rows:
            for execution in row["executions"]:
                execution["verified"] = True
        return pa.Table.from_pylist(rows, table.schema)

    rewrite(run_dir, "proofs", change)
    with corpus(run_dir) as connection:
        (rule,) = (rule for rule in invariants() if rule.name == "verifier_as_expected")
        assert violations_of(connection, rule).count == 18


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory, published: Path) -> tuple[Path, QualityReport]:
    root = Path(shutil.copytree(published, tmp_path_factory.mktemp("good") / "run"))
    return root, check(root)


def test_a_good_run_passes_and_has_docs(good: tuple[Path, QualityReport]) -> None:
    root, report = good
    assert report.passed, report.failures
    assert report.checks > 150
    assert Path(report.docs) == root / "docs" / "index.html"
    pages = list((root / "docs").rglob("*.html"))
    assert any("point lies inside" in page.read_text("utf-8") for page in pages)


def test_column_rules_become_sentences(run_dir: Path) -> None:
    rewrite(run_dir, "tasks", put("writer", "ghost"))
    rewrite(run_dir, "tasks", put("est_steps", 0))
    rewrite(run_dir, "votes", put("confidence", 1.5))
    rewrite(run_dir, "keypoints", put("keypoint_id", "kp_1"))
    report = check(run_dir, docs=False)
    assert not report.passed
    assert "tasks.writer must be one of template, model: not so for 3 rows, such as ghost" in report.failures
    assert any(line.startswith("tasks.est_steps must be between 1") for line in report.failures)
    assert any(line.startswith("votes.confidence must be between 0") for line in report.failures)
    assert any(line.startswith("keypoints.task_id+keypoint_id must be unique") for line in report.failures)
    assert not (run_dir / "docs").exists()


def only(run_dir: Path) -> str:
    """The one failure of a run with damaged files."""
    report = check(run_dir, docs=False)
    assert not report.passed
    (failure,) = report.failures
    assert "\n" not in failure
    return failure


def test_missing_file(run_dir: Path) -> None:
    (run_dir / "shards/votes/part-00000.parquet").unlink()
    assert only(run_dir) == "shards/votes/part-00000.parquet is missing"


def test_truncated_file(run_dir: Path) -> None:
    path = run_dir / "shards/votes/part-00000.parquet"
    path.write_bytes(path.read_bytes()[:100])
    assert "has 100 bytes instead of" in only(run_dir)


def test_changed_byte(run_dir: Path) -> None:
    path = run_dir / "shards/votes/part-00000.parquet"
    data = bytearray(path.read_bytes())
    data[60] ^= 255
    path.write_bytes(data)
    assert "sha256" in only(run_dir)


def test_unknown_file(run_dir: Path) -> None:
    (run_dir / "shards/votes/part-00001.parquet").write_bytes(b"")
    assert only(run_dir) == "shards/votes/part-00001.parquet is not in the manifest"


def test_file_that_never_was_parquet(run_dir: Path) -> None:
    path = run_dir / "shards/votes/part-00000.parquet"
    path.write_bytes(b"nonsense")
    manifest = json.loads((run_dir / MANIFEST).read_text())
    for entry in manifest["files"]:
        if entry["table"] == "votes":
            entry |= {"sha256": sha256_of(path), "bytes": 8}
    (run_dir / MANIFEST).write_text(json.dumps(manifest))
    assert "is no readable Parquet file" in only(run_dir)


def test_partition_that_says_otherwise(run_dir: Path) -> None:
    rewrite(run_dir, "tasks", put("lang", "fr"))
    assert only(run_dir) == "shards/tasks/platform=web/lang=en/part-00000.parquet holds rows whose lang is fr"


def test_another_schema(run_dir: Path) -> None:
    rewrite(run_dir, "votes", lambda table: table.drop_columns(["reason"]))
    assert "another schema" in only(run_dir)


def test_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no published run"):
        check(tmp_path)

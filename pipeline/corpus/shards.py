"""Publishing: the records of a run become Parquet shards, and the manifest that is written last says so.

Everything is written beside the old shards and swapped in at the end, so a reader sees one whole corpus
or none, and files of an earlier publication never linger.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pipeline.corpus.card import write_card
from pipeline.corpus.collect import Collector
from pipeline.corpus.images import ImageStore
from pipeline.corpus.layout import DOCS, GALLERY, MANIFEST, SHARDS
from pipeline.corpus.parts import Parts, partition_of
from pipeline.corpus.task_rows import run_row
from pipeline.corpus.views import write_views
from pipeline.corpus.world_rows import image_row
from pipeline.errors import DatasetError
from schemas.app import Locus
from schemas.capability import CapabilityTree
from schemas.graph import FunctionGraph
from schemas.proof import Proved
from schemas.record import Record
from schemas.rejection import Rejection
from schemas.run import FileEntry, Manifest
from schemas.tables import TABLES
from schemas.verdict import Verdict

SCRATCH = ".publishing"


@dataclass(frozen=True)
class Content:
    """What a run made. The callables are asked once or twice each and stream their records; the order of
    the records decides nothing but which of two records with one id is kept.
    """

    loci: tuple[Locus, ...]
    graphs: Callable[[], Iterable[FunctionGraph]]
    trees: Callable[[], Iterable[CapabilityTree]]
    proved: Callable[[], Iterable[Proved]]
    """Published where every Trajectory has a passing Verdict."""
    verdicts: Callable[[], Iterable[Verdict]]
    rejections: Callable[[], Iterable[Rejection]]
    images: ImageStore


def publish(run_dir: str, content: Content, head: Manifest) -> Manifest:
    """Write shards, views, card and manifest into the run folder and return the manifest.

    ``head`` says what was run; its counts, rejections, files and finishing time are filled in here.

    Raises:
        DatasetError: when something cannot be read or written. What was published before stays until the
            new shards are complete, and there is never a manifest without its files.
    """
    root = Path(run_dir)
    scratch = root / SCRATCH
    try:
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        manifest = _write_shards(scratch, content, head)
        _swap(root, scratch)
        write_views(manifest, root)
        write_card(manifest, root)
        _write_manifest(manifest, root)
    except OSError as error:
        reason = error.strerror or error
        raise DatasetError(f"{root} cannot be written ({reason}); make room and publish again") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return manifest


class Shards:
    """All tables being written. Rows find their own file by table and partition."""

    def __init__(self, scratch: Path) -> None:
        """Files come to lie below ``scratch/shards``."""
        self._scratch = scratch
        self._parts: dict[str, Parts] = {}
        self._files: list[FileEntry] = []

    def __call__(self, table: str, rows: Sequence[Record]) -> None:
        """Take rows of one table, all of one partition."""
        if rows:
            self._part(table, partition_of(TABLES[table], rows[0])).add(rows)

    def close(self, tables: Iterable[str]) -> tuple[FileEntry, ...]:
        """Finish these tables and list all files finished so far; a table without rows gets an empty file."""
        for table in tables:
            folders = [name for name in self._parts if name.split("/")[0] == table]
            for folder in sorted(folders) or [table]:
                self._files += self._part(table, folder).close()
                del self._parts[folder]
        return tuple(self._files)

    def _part(self, table: str, folder: str) -> Parts:
        if folder not in self._parts:
            self._parts[folder] = Parts(TABLES[table], self._scratch / SHARDS, folder, self._scratch)
        return self._parts[folder]


def _write_shards(scratch: Path, content: Content, head: Manifest) -> Manifest:
    shards = Shards(scratch)
    collector = Collector({locus.app.id: locus.app.platform for locus in content.loci}, shards)
    collector.loci(content.loci)
    for verdict in content.verdicts():
        collector.decided(verdict)
    for graph in content.graphs():
        collector.graph(graph)
    for tree in content.trees():
        collector.tree(tree)
    for proved in content.proved():
        collector.proved(proved)
    for verdict in content.verdicts():
        collector.verdict(verdict)
    rejected: Counter[str] = Counter()
    for rejection in content.rejections():
        if collector.rejection(rejection):
            rejected[f"{rejection.stage}/{rejection.reason}"] += 1
    for name in collector.images():
        shards("images", [image_row(name, content.images.read(name))])
    return _finish(shards, head, rejected)


def _finish(shards: Shards, head: Manifest, rejected: Counter[str]) -> Manifest:
    """The tables about the corpus itself come last: they count the others."""
    files = shards.close(name for name in TABLES if name not in {"runs", "files"})
    counts: Counter[str] = Counter()
    for entry in files:
        counts[entry.table] += entry.rows
    counted = {name: counts[name] for name in TABLES if name in counts}
    manifest = head.model_copy(
        update={
            "counts": counted,
            "rejected": dict(sorted(rejected.items())),
            "finished_at": datetime.now(UTC),
        }
    )
    shards("runs", [run_row(manifest)])
    shards("files", shards.close(["runs"]))
    return manifest.model_copy(update={"files": shards.close(["files"])})


def _swap(root: Path, scratch: Path) -> None:
    """From here to the new manifest there is no published corpus, so none is ever a mixture. Pages that
    were made of the old shards go with them.
    """
    (root / MANIFEST).unlink(missing_ok=True)
    for pages in (DOCS, GALLERY):
        shutil.rmtree(root / pages, ignore_errors=True)
    if (root / SHARDS).exists():
        (root / SHARDS).rename(scratch / "old")
    (scratch / SHARDS).rename(root / SHARDS)


def _write_manifest(manifest: Manifest, root: Path) -> None:
    part = root / f".{MANIFEST}.part"
    part.write_text(manifest.model_dump_json(indent=1) + "\n", "utf-8")
    part.replace(root / MANIFEST)

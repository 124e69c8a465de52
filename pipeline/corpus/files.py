"""Whether the files of a run are what its manifest says: there, whole, unchanged, readable, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.corpus.layout import SHARDS, lost_files
from pipeline.corpus.parts import sha256_of
from schemas.arrow import fingerprint
from schemas.run import FileEntry, Manifest
from schemas.tables import HIVE


def damages(root: Path, manifest: Manifest) -> list[str]:
    """A sentence for every file that is missing, damaged, changed, unreadable, misplaced or unknown."""
    lost = lost_files(root, manifest)
    unknown = [f"{path} is not in the manifest" for path in _unknown(root, manifest)]
    if lost:
        return lost + unknown
    return unknown + [sentence for entry in manifest.files for sentence in _damage(root, entry)]


def _unknown(root: Path, manifest: Manifest) -> list[str]:
    known = {entry.path for entry in manifest.files}
    there = (path.relative_to(root).as_posix() for path in (root / SHARDS).rglob("*") if path.is_file())
    return sorted(set(there) - known)


def _damage(root: Path, entry: FileEntry) -> Iterator[str]:
    path = root / entry.path
    if sha256_of(path) != entry.sha256:
        yield f"{entry.path} has been changed: its sha256 is not the manifest's"
        return
    try:
        with pq.ParquetFile(path) as file:
            if file.metadata.num_rows != entry.rows:
                yield f"{entry.path} has {file.metadata.num_rows} rows instead of {entry.rows}"
            if fingerprint(file.schema_arrow) != entry.schema_fingerprint:
                yield f"{entry.path} has another schema than the manifest says"
            yield from _misplaced(file, entry)
    except (pa.ArrowException, OSError) as error:
        yield f"{entry.path} is no readable Parquet file: {str(error).splitlines()[0]}"


def _misplaced(file: pq.ParquetFile, entry: FileEntry) -> Iterator[str]:
    """Readers believe the folder's name, silently, where it differs from the column."""
    folders = dict(part.split("=", 1) for part in entry.path.split("/") if "=" in part)
    for column in HIVE:
        if column in folders:
            inside = pc.unique(file.read([column])[column]).to_pylist()
            if set(inside) - {folders[column]}:
                others = ", ".join(str(value) for value in inside)
                yield f"{entry.path} holds rows whose {column} is {others}"

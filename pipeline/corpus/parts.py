"""Parquet parts: sorted, byte-bounded files of one table (and partition), with explicit schemas, whether
there are rows or not.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from schemas.arrow import fingerprint, schema_of, table_of
from schemas.record import Record
from schemas.run import FileEntry
from schemas.tables import HIVE, Table

_LOG = logging.getLogger(__name__)

GROUP_ROWS = 65_536
GROUP_BYTES = 64 * 2**20
"""Bounds of a row group. Images reach the second: whoever wants one of them decodes its whole group."""
FILE_BYTES = 256 * 2**20
"""Arrow bytes after which a new file is begun; also the most that is sorted in memory at a time."""
BATCH_ROWS = 1024

_ZSTD_LEVEL = 3
_COMPRESSED = {"images": "bytes"}
"""Tables with a column that is compressed already; their rows stay in the order in which they arrive."""


class Parts:
    """The files of one table in one partition. Rows are spooled to disk and sorted by primary key one
    file at a time, so memory stays flat whatever the number of rows.
    """

    def __init__(self, table: Table, root: Path, folder: str, scratch: Path) -> None:
        """``folder`` is the partition's path below ``root``; ``scratch`` is a folder for spool files."""
        self._table = table
        self._schema = schema_of(table.row)
        self._root = root
        self._folder = folder
        self._spool = scratch / f"{folder.replace('/', '+')}.arrows"
        self._stream: pa.RecordBatchStreamWriter | None = None
        self._bytes = 0
        self._rows: list[Record] = []
        self._entries: list[FileEntry] = []
        self._replaced = 0

    def add(self, rows: Sequence[Record]) -> None:
        """Take more rows of the table's row type."""
        self._rows.extend(rows)
        if len(self._rows) >= BATCH_ROWS:
            self._flush()

    def close(self) -> list[FileEntry]:
        """Write what is left, or an empty file where there was nothing, and say what was written."""
        self._flush()
        if self._bytes or not self._entries:
            self._part()
        if self._replaced:
            _LOG.warning("%s: %d lone surrogates were replaced", self._folder, self._replaced)
        return self._entries

    def _flush(self) -> None:
        """Rows → spool; a full spool → a file."""
        if not self._rows:
            return
        batch, replaced = table_of(self._table.row, self._rows)
        self._rows.clear()
        self._replaced += replaced
        if self._stream is None:
            self._stream = pa.ipc.new_stream(self._spool, self._schema)
        self._stream.write_table(batch)
        self._bytes += batch.nbytes
        if self._bytes >= FILE_BYTES:
            self._part()

    def _part(self) -> None:
        """Spool → one Parquet file."""
        name = f"{self._folder}/part-{len(self._entries):05d}.parquet"
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = 0
        if self._stream is None:
            _write(self._table, self._schema.empty_table(), path)
        else:
            self._stream.close()
            self._stream, self._bytes = None, 0
            with pa.memory_map(str(self._spool)) as spool, pa.ipc.open_stream(spool) as stream:
                content = stream.read_all()
                rows = content.num_rows
                _write(self._table, content, path)
            self._spool.unlink()
        self._entries.append(_entry(path, name, self._table, rows, self._schema))


def partition_of(table: Table, row: Record) -> str:
    """The folder that a row belongs to: ``tasks/platform=web/lang=en``, or just ``runs``."""
    if not table.partitioned:
        return table.name
    return "/".join([table.name, *(f"{column}={getattr(row, column)}" for column in HIVE)])


def sha256_of(path: Path) -> str:
    """Hash of a file's content, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(table: Table, content: pa.Table, path: Path) -> None:
    opaque = _COMPRESSED.get(table.name)
    ordered = content if opaque else content.take(_order(content, table.key))
    zstd = [name for name in content.column_names if name != opaque]
    part = path.with_name(f".{path.name}.part")
    with pq.ParquetWriter(
        part,
        content.schema,
        compression={opaque: "NONE"} | dict.fromkeys(zstd, "ZSTD") if opaque else "ZSTD",
        compression_level=dict.fromkeys(zstd, _ZSTD_LEVEL) if opaque else _ZSTD_LEVEL,
        write_page_index=True,
        use_content_defined_chunking=True,
    ) as writer:
        for start, stop in _groups(ordered, opaque):
            writer.write_table(ordered.slice(start, stop - start), row_group_size=stop - start)
    part.replace(path)


def _order(content: pa.Table, key: Sequence[str]) -> pa.Array:
    """Positions of the rows in the order of their key."""
    import polars as pl  # noqa: PLC0415 - half a second that readers need not pay

    frame = pl.from_arrow(content.select(list(key)))
    assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table gives a frame
    return frame.with_row_index("_at").sort(key, maintain_order=True)["_at"].to_arrow()


def _groups(content: pa.Table, opaque: str | None) -> Iterator[tuple[int, int]]:
    """Bounds of row groups within ``GROUP_ROWS`` and, but for a single larger row, ``GROUP_BYTES``."""
    count = content.num_rows
    if opaque:
        sizes = pc.binary_length(content[opaque]).to_pylist()
    else:
        sizes = [content.nbytes / max(count, 1)] * count
    start, weight = 0, 0.0
    for at, size in enumerate(sizes):
        if at > start and (at - start >= GROUP_ROWS or weight + size > GROUP_BYTES):
            yield start, at
            start, weight = at, 0.0
        weight += size
    if count:
        yield start, count


def _entry(path: Path, name: str, table: Table, rows: int, schema: pa.Schema) -> FileEntry:
    return FileEntry(
        path=f"{path.parents[name.count('/')].name}/{name}",
        table=table.name,
        rows=rows,
        bytes=path.stat().st_size,
        sha256=sha256_of(path),
        schema_fingerprint=fingerprint(schema),
    )

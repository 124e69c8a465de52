"""Screenshots as small WebP files beside a gallery, as far as a budget of bytes goes."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq

WIDTH = 960
"""Pixels across at most; text on a usual screen stays readable."""
_QUALITY = 72


def export(parts: Iterable[Path], wanted: frozenset[str], folder: Path, max_bytes: int) -> frozenset[str]:
    """Write ``<id>.webp`` for the wanted images of the images table's files, in the table's order (those
    that tasks use come first), until the budget is spent; the ids of those that were written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: set[str] = set()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for group in _groups(parts, wanted):
            for name, small in pool.map(_smaller, group):
                max_bytes -= len(small)
                if max_bytes < 0:
                    return frozenset(written)
                folder.joinpath(f"{name}.webp").write_bytes(small)
                written.add(name)
    return frozenset(written)


def _groups(parts: Iterable[Path], wanted: frozenset[str]) -> Iterator[list[tuple[str, bytes]]]:
    """Id and PNG of the wanted images, one row group at a time; groups without any are not decoded."""
    for part in parts:
        with pq.ParquetFile(part) as file:
            for index in range(file.num_row_groups):
                names = file.read_row_group(index, ["image_id"])["image_id"].to_pylist()
                if wanted.isdisjoint(names):
                    continue
                pngs = file.read_row_group(index, ["bytes"])["bytes"]
                yield [(name, png.as_py()) for name, png in zip(names, pngs, strict=True) if name in wanted]


def _smaller(image: tuple[str, bytes]) -> tuple[str, bytes]:
    from PIL import Image  # noqa: PLC0415 - only a gallery draws

    name, png = image
    with Image.open(io.BytesIO(png)) as picture:
        small = picture.convert("RGB")
        small.thumbnail((WIDTH, WIDTH * 4), Image.Resampling.LANCZOS, reducing_gap=2.0)
        file = io.BytesIO()
        small.save(file, "WEBP", quality=_QUALITY, method=1)
    return name, file.getvalue()

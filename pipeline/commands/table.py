"""Rows as aligned text for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

MAX_CELL = 60
"""Characters of one cell."""


def aligned(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A line of column names and one line per row, CJK characters counted as wide as they are shown."""
    cells = [list(columns), *([_cell(value) for value in row] for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map(_padded, row, widths)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def _cell(value: object) -> str:
    text = f"<{len(value)} bytes>" if isinstance(value, bytes) else str(value).replace("\n", " ")
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))

"""Arrow schemas derived from Records, and rows to and from Arrow. One docstring documents the code, the
JSON schema and the Parquet column.

str, StrEnum, Literal → string (closed sets are listed in the column's metadata) · int → int64 ·
float → double · bool · bytes → large_binary · datetime → timestamp[us, UTC] · Record → struct ·
tuple[X, ...] → list · dict[str, X] → map · X | None → the same, nullable.
"""

from __future__ import annotations

import hashlib
import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Literal, TypeVar, Union

import pyarrow as pa

from schemas.record import Record

Row = TypeVar("Row", bound=Record)

REPLACEMENT = "�"
"""What a lone surrogate becomes: it has no UTF-8 spelling, and one of them would abort a whole file."""

_SCALARS: dict[object, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    bytes: pa.large_binary(),
    datetime: pa.timestamp("us", tz="UTC"),
}


@cache
def schema_of(row: type[Record]) -> pa.Schema:
    """The Arrow schema of a row type: fields in declaration order, docstrings as metadata.

    Raises:
        TypeError: for an annotation that has no column type (a union of Records, say).
    """
    return pa.schema(_fields(row))


def fingerprint(schema: pa.Schema) -> str:
    """16 hex digits that change when a column's name, type or nullability does; wording does not count."""
    spelled = [_spelled(field) for field in schema]
    return hashlib.sha256(json.dumps(spelled).encode()).hexdigest()[:16]


def table_of(row: type[Row], rows: Iterable[Row]) -> tuple[pa.Table, int]:
    """Rows as a table with the row type's schema, and how many lone surrogates had to be replaced."""
    schema = schema_of(row)
    plain = [item.model_dump() for item in rows]
    try:
        return pa.Table.from_pylist(plain, schema), 0
    except UnicodeEncodeError:
        cleaned = _Cleaner()
        return pa.Table.from_pylist([cleaned(item) for item in plain], schema), cleaned.replaced


def rows_of(row: type[Row], table: pa.Table) -> Iterator[Row]:
    """The table's rows as validated Records, in order; the inverse of ``table_of``."""
    for plain in table.select(list(row.model_fields)).to_pylist(maps_as_pydicts="strict"):
        yield row.model_validate(plain)


def closed_set(annotation: object) -> tuple[str, ...]:
    """The values that an annotation allows, for a Literal or a StrEnum (also an optional one); else ()."""
    inner, _ = _strip(annotation)
    if isinstance(inner, type) and issubclass(inner, StrEnum):
        return tuple(inner)
    if typing.get_origin(inner) is Literal:
        return tuple(str(value) for value in typing.get_args(inner))
    return ()


def _fields(row: type[Record]) -> list[pa.Field]:
    fields = []
    for name, info in row.model_fields.items():
        inner, nullable = _strip(info.annotation)
        notes: dict[str, str] = {}
        if info.description:
            notes["description"] = " ".join(info.description.split())
        if allowed := closed_set(inner):
            notes["values"] = json.dumps(allowed)
        fields.append(pa.field(name, _type(inner, f"{row.__name__}.{name}"), nullable, notes or None))
    return fields


def _strip(annotation: object) -> tuple[object, bool]:
    """The annotation without ``None`` and ``Annotated``, and whether it was optional."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _strip(typing.get_args(annotation)[0])
    if origin in {Union, types.UnionType}:
        members = [part for part in typing.get_args(annotation) if part is not type(None)]
        if len(members) == 1:
            return members[0], True
    return annotation, False


def _type(annotation: object, where: str) -> pa.DataType:
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if closed_set(annotation):
        return pa.string()
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return pa.struct(_fields(annotation))
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return pa.list_(pa.field("element", _type(args[0], where), nullable=False))
    if origin is dict and args[0] is str:
        return pa.map_(pa.string(), _type(args[1], where))
    message = f"{where}: {annotation!r} has no column type"
    raise TypeError(message)


def _spelled(field: pa.Field) -> list[object]:
    """Name, type and nullability; parts that Parquet names as it likes (of lists and maps) go unnamed."""
    kind = field.type
    if pa.types.is_struct(kind):
        return [field.name, [_spelled(part) for part in kind], field.nullable]
    if pa.types.is_list(kind):
        return [field.name, ["list", *_spelled(kind.value_field)[1:]], field.nullable]
    if pa.types.is_map(kind):
        return [field.name, ["map", *_spelled(kind.item_field)[1:]], field.nullable]
    return [field.name, str(kind), field.nullable]


class _Cleaner:
    """Replaces lone surrogates in plain data and counts them."""

    def __init__(self) -> None:
        self.replaced = 0

    def __call__(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {self(key): self(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self(item) for item in value]
        return value

    def _text(self, text: str) -> str:
        clean = "".join(REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in text)
        self.replaced += sum(1 for before, after in zip(text, clean, strict=True) if before != after)
        return clean

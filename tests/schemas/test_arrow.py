from __future__ import annotations

import types
import typing
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Literal, Union

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.arrow import fingerprint, rows_of, schema_of, table_of
from schemas.record import Record
from schemas.tables import TABLES


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Inner(Record):
    at: int
    word: str | None = None


class Sample(Record):
    name: str
    """What it is
    called."""
    colour: Colour
    mode: Literal["a", "b"] | None
    inner: Inner | None
    many: tuple[Inner, ...]
    notes: dict[str, str]
    blob: bytes
    when: datetime
    share: float
    sure: bool


SAMPLE = Sample(
    name="x",
    colour=Colour.RED,
    mode=None,
    inner=None,
    many=(Inner(at=1), Inner(at=2, word="")),
    notes={"k": "v"},
    blob=b"\x00\xff",
    when=datetime(2027, 2, 1, tzinfo=UTC),
    share=0.5,
    sure=True,
)


def test_types_follow_annotations() -> None:
    schema = schema_of(Sample)
    assert schema.field("colour").type == pa.string()
    assert schema.field("mode").nullable
    assert not schema.field("colour").nullable
    assert schema.field("blob").type == pa.large_binary()
    assert schema.field("when").type == pa.timestamp("us", tz="UTC")
    assert schema.field("notes").type == pa.map_(pa.string(), pa.string())
    assert pa.types.is_struct(schema.field("inner").type)
    assert pa.types.is_list(schema.field("many").type)


def test_docstrings_and_closed_sets_become_metadata() -> None:
    schema = schema_of(Sample)
    assert schema.field("name").metadata[b"description"] == b"What it is called."
    assert schema.field("colour").metadata[b"values"] == b'["red", "blue"]'
    assert schema.field("mode").metadata[b"values"] == b'["a", "b"]'


def test_none_and_empty_stay_apart() -> None:
    table, replaced = table_of(Sample, [SAMPLE])
    assert replaced == 0
    (back,) = rows_of(Sample, table)
    assert back == SAMPLE
    assert back.many[0].word is None
    assert back.many[1].word == ""


def test_lone_surrogates_are_replaced_and_counted() -> None:
    odd = SAMPLE.model_copy(update={"name": "\ud83d设置\udc00", "notes": {"\ud800k": "ok"}})
    table, replaced = table_of(Sample, [SAMPLE, odd])
    assert replaced == 3
    assert table["name"].to_pylist() == ["x", "�设置�"]


def test_a_union_of_records_is_no_column() -> None:
    class Wrong(Record):
        either: Inner | Sample

    with pytest.raises(TypeError, match=r"Wrong\.either"):
        schema_of(Wrong)


def test_fingerprint_sees_types_and_not_words() -> None:
    def of(kind: pa.DataType, *, nullable: bool = True, words: str = "") -> str:
        return fingerprint(pa.schema([pa.field("a", kind, nullable, {"description": words})]))

    named = pa.list_(pa.field("element", pa.int64()))
    assert of(named, words="x") == of(pa.list_(pa.int64()))
    assert of(named) != of(pa.list_(pa.string()))
    assert of(named) != of(named, nullable=False)
    assert of(pa.struct([("b", pa.int64())])) != of(pa.struct([("c", pa.int64())]))


def strategy(annotation: Any) -> st.SearchStrategy[Any]:  # noqa: PLR0911 - one per kind of column
    """Values of any annotation that has a column type."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return strategy(args[0])
    if origin in {Union, types.UnionType}:
        return st.one_of(*(st.none() if part is type(None) else strategy(part) for part in args))
    if origin is Literal:
        return st.sampled_from(args)
    if origin is tuple:
        return st.lists(strategy(args[0]), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(strategy(args[0]), strategy(args[1]), max_size=2)
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return st.sampled_from(list(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Record):
        fields = {name: strategy(info.annotation) for name, info in annotation.model_fields.items()}
        return st.builds(annotation, **fields)
    return {
        str: st.text(st.characters(codec="utf-8"), max_size=8),
        int: st.integers(-(2**63), 2**63 - 1),
        float: st.floats(allow_nan=False),
        bool: st.booleans(),
        bytes: st.binary(max_size=8),
        datetime: st.datetimes(timezones=st.just(UTC), min_value=datetime(1970, 1, 1)),  # noqa: DTZ001
    }[annotation]


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_table_survives_parquet(name: str, data: st.DataObject) -> None:
    row = TABLES[name].row
    rows = data.draw(st.lists(strategy(row), max_size=2))
    table, _ = table_of(row, rows)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    back = pq.read_table(pa.BufferReader(sink.getvalue()))
    assert fingerprint(back.schema) == fingerprint(schema_of(row))
    assert list(rows_of(row, back)) == rows

from __future__ import annotations

import hashlib

import pytest
from pydantic import ValidationError

from schemas.record import Record, canonical, digest, image_id
from schemas.screen import Box


class Point(Record):
    x: int
    y: int = 0


def test_records_are_frozen_and_closed() -> None:
    point = Point(x=1)
    with pytest.raises(ValidationError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Point(x=1, z=3)  # type: ignore[call-arg]


def test_canonical_ignores_key_order_and_keeps_text_readable() -> None:
    assert canonical({"b": 1, "a": "设置"}) == '{"a":"设置","b":1}'.encode()
    assert canonical({"b": 1, "a": 2}) == canonical({"a": 2, "b": 1})


def test_digest_tells_parts_apart() -> None:
    assert digest("st", "a", "bc") != digest("st", "ab", "c")
    assert digest("st", "a") != digest("ed", "a")
    assert digest("st", Point(x=1)) == digest("st", Point(x=1, y=0))


def test_digest_survives_a_lone_surrogate() -> None:
    assert digest("st", "\ud83d").startswith("st_")


def test_sets_hash_without_order() -> None:
    assert digest("x", {"b", "a", "c"}) == digest("x", {"c", "b", "a"})


def test_what_has_no_spelling_is_refused() -> None:
    with pytest.raises(TypeError, match="no canonical JSON spelling"):
        digest("x", object())


def test_image_id_can_be_recomputed_by_anyone() -> None:
    assert image_id(b"png") == hashlib.sha256(b"png").hexdigest()


def test_alike_records_share_what_says_which_fields_were_given() -> None:
    one, other = Box(x1=0, y1=0, x2=4, y2=4), Box(x1=1, y1=2, x2=4, y2=4)
    assert one.model_fields_set is other.model_fields_set
    moved = one.model_copy(update={"x1": 3})
    assert (moved.x1, one.x1, moved.model_fields_set) == (3, 0, one.model_fields_set)

"""A Record is frozen data that means the same wherever it travels; its id is a hash of what it says.

Records validate model output, give the JSON schema for constrained decoding, become Parquet columns
and cross process borders. They never do I/O. No clock, counter or uuid ever enters an id.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict

ID_HEX = 16
"""Hex digits kept of a sha256: 64 bits, so a corpus of ten million rows collides with p < 3e-6."""

_GIVEN: dict[frozenset[str], set[str]] = {}


class Record(BaseModel):
    """The base of every noun: immutable, closed to unknown fields, documented once per field."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    def model_post_init(self, _: object) -> None:
        """Share the set of the fields that were given: of a screen full of Elements it is most of the memory,
        and it is one of a few, as those who make records name the same fields each time.
        """
        given = self.model_fields_set
        object.__setattr__(self, "__pydantic_fields_set__", _GIVEN.setdefault(frozenset(given), given))


def canonical(value: object) -> bytes:
    """The one JSON spelling of a value (sorted keys, no spaces, UTF-8) that every hash is taken of."""
    return json.dumps(
        value, default=_plain, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode("utf-8", "surrogatepass")


def digest(prefix: str, *parts: object) -> str:
    """A content id such as ``st_1f…``: the prefix names the table, the rest hashes the parts."""
    return f"{prefix}_{hashlib.sha256(canonical(parts)).hexdigest()[:ID_HEX]}"


def image_id(png: bytes) -> str:
    """The id of an image: the whole sha256 of its bytes, so that it can be checked from outside."""
    return hashlib.sha256(png).hexdigest()


def _plain(value: Any) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    message = f"{type(value).__name__} has no canonical JSON spelling"
    raise TypeError(message)

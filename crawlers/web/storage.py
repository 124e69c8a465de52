"""Browser storage, compared before and after an action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from crawlers.web.traffic import Mask
from schemas.effect import StorageWrite

Area = Literal["local", "session"]
Entry = tuple[str, int, int]
"""The value's beginning, a hash of the whole, and how many records it holds; -1 where it is no JSON."""
_NONE: Entry = ("", 0, 0)


@dataclass(frozen=True)
class Stored:
    """What one window's page has stored."""

    local: dict[str, Entry] = field(default_factory=dict)
    session: dict[str, Entry] = field(default_factory=dict)

    @classmethod
    def of(cls, report: dict[str, Any]) -> Stored:
        """From what ``init.js`` reports: lists of key and entry."""
        return cls(
            *(
                {key: (value, sum_, records) for key, value, sum_, records in report.get(area, ())}
                for area in ("local", "session")
            )
        )


def changes(before: Stored, after: Stored, indexed: Sequence[str], mask: Mask) -> tuple[StorageWrite, ...]:
    """What was written and removed, in order of area and key; of IndexedDB only where."""
    return (
        *_area("local", before.local, after.local, mask),
        *_area("session", before.session, after.session, mask),
        *(StorageWrite(area="indexed", key=mask.text(key)) for key in sorted(set(indexed))),
    )


def _area(
    area: Area, before: dict[str, Entry], after: dict[str, Entry], mask: Mask
) -> Iterator[StorageWrite]:
    for key in sorted({*before, *after}):
        if before.get(key) == after.get(key):
            continue
        (_, _, old), (value, _, new) = before.get(key, _NONE), after.get(key, _NONE)
        yield StorageWrite(
            area=area,
            key=mask.text(key),
            value=mask.value(key, value) if key in after else "",
            removed=key not in after,
            grown=None if min(old, new) < 0 else new - old,
        )

"""Browser storage, compared before and after an action."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import parse_qsl, urlsplit

from crawlers.web.traffic import Mask
from schemas.effect import StorageWrite

Area = Literal["local", "session", "cookie"]
Entry = tuple[str, int, int]
"""The value's beginning, a hash of the whole, and how many records it holds; -1 where it is no JSON."""
_NONE: Entry = ("", 0, 0)
Window = TypeVar("Window", bound=Hashable)


@dataclass(frozen=True)
class Stored:
    """What is stored at one moment, as one document sees it."""

    local: Mapping[str, Entry] = field(default_factory=dict)
    session: Mapping[str, Entry] = field(default_factory=dict)
    cookie: Mapping[str, Entry] = field(default_factory=dict)
    """Those that scripts may read."""

    @classmethod
    def of(cls, told: dict[str, Any]) -> Stored:
        """From what ``init.js`` tells: lists of key and entry."""
        return cls(
            *(
                {key: (value, sum_, records) for key, value, sum_, records in told.get(area, ())}
                for area in ("local", "session", "cookie")
            )
        )

    def with_asked(self, other: Stored, query: str) -> Stored:
        """This and those of another moment's entries that hold nothing but a value of that query."""
        asked = {value for _, value in parse_qsl(query)}
        local, session = (
            {**mine, **{key: entry for key, entry in theirs.items() if entry[0].strip('"') in asked}}
            for mine, theirs in ((self.local, other.local), (self.session, other.session))
        )
        return Stored(local, session, self.cookie)


@dataclass(frozen=True)
class Kept:
    """What the document in one window keeps."""

    born: float
    """When the document came; tells it from others."""
    came: Stored
    """What was stored then."""
    now: Stored
    indexed: tuple[str, ...] = ()
    """Stores of IndexedDB written to since it was last asked."""

    @classmethod
    def of(cls, report: dict[str, Any]) -> Kept:
        """From a report of ``init.js``."""
        came, now = (Stored.of(report.get(moment) or {}) for moment in ("came", "now"))
        return cls(report.get("born", 0.0), came, now, tuple(report.get("indexed", ())))


class Shelf(Generic[Window]):
    """What is kept in every window of a session, and what of it one action changed.

    What a document stores as it comes up (how high its fields are, what was looked at last) is its own
    book-keeping and no doing of the link that led to it, unless the address asks for it (``?theme=dark``).
    A cookie that is set so is that for good: such cookies count and time whatever is done. Nor is what a
    server sets with a page told of: it is its way of remembering the session.
    """

    def __init__(self) -> None:
        """Nothing is known."""
        self._kept: dict[Window, Kept] = {}
        self._before: dict[Window, Kept] = {}
        self._indexed: list[str] = []
        self._restless: set[str] = set()
        """Cookies that documents set as they come up."""

    def forget(self) -> None:
        """The session begins again."""
        self._kept.clear()

    def begin(self) -> None:
        """An action begins."""
        self._before = dict(self._kept)
        self._indexed = []

    def take(self, window: Window, kept: Kept) -> None:
        """Take in what a window keeps by now."""
        if window not in self._kept or self._kept[window].born != kept.born:
            self._restless.update(dict(kept.now.cookie.items() - kept.came.cookie.items()))
        self._kept[window] = kept
        if window in self._before and self._before[window].born == kept.born:
            self._indexed.extend(kept.indexed)

    def changes(self, window: Window, address: str, mask: Mask) -> tuple[StorageWrite, ...]:
        """What the action stored and removed, by the window it ended in, which shows that address."""
        before, after = self._before.get(window), self._kept.get(window)
        if before is None or after is None:  # a window is born with what its opener had stored
            return ()
        same = before.born == after.born
        if same:
            then = replace(after.now, cookie=self._told(after.now))
        else:
            asked = after.came.with_asked(after.now, urlsplit(address).query)
            then = replace(asked, cookie=self._told(before.now))
        return changes(replace(before.now, cookie=self._told(before.now)), then, self._indexed, mask)

    def _told(self, stored: Stored) -> dict[str, Entry]:
        return {key: entry for key, entry in stored.cookie.items() if key not in self._restless}


def changes(before: Stored, after: Stored, indexed: Sequence[str], mask: Mask) -> tuple[StorageWrite, ...]:
    """What was written and removed, in order of area and key; of IndexedDB only where."""
    return (
        *_area("local", before.local, after.local, mask),
        *_area("session", before.session, after.session, mask),
        *_area("cookie", before.cookie, after.cookie, mask),
        *(StorageWrite(area="indexed", key=mask.text(key)) for key in sorted(set(indexed))),
    )


def _area(
    area: Area, before: Mapping[str, Entry], after: Mapping[str, Entry], mask: Mask
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

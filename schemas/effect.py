"""An Effect is what an Action changed, on the screen and behind it. It is evidence, not a guess."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from schemas.record import Record
from schemas.screen import Box, Dialog

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class EffectClass(StrEnum):
    """What kind of change an Action made."""

    NAVIGATE = "navigate"
    OPEN = "open"
    CLOSE = "close"
    TOGGLE = "toggle"
    SET = "set"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    SEARCH = "search"
    FILTER = "filter"
    SORT = "sort"
    INVALID = "validate_error"
    LOGIN = "login"
    LOGOUT = "logout"
    DOWNLOAD = "download"
    NONE = "none"


WRITES = frozenset({EffectClass.CREATE, EffectClass.UPDATE, EffectClass.DELETE})
"""Classes that leave the App's own data different."""


class Outcome(StrEnum):
    """How performing an Action ended."""

    CHANGED = "changed"
    UNCHANGED = "no_change"
    NAVIGATED = "navigated"
    DIALOG = "dialog"
    NEW_WINDOW = "new_window"
    DOWNLOAD = "download"
    APP_LEFT = "app_left"
    CRASH = "crash"
    BLOCKED = "blocked"
    TIMEOUT = "timeout"


class Request(Record):
    """One request that the App's page made to the App's server."""

    method: str
    path: str
    """Concrete path, without the query."""
    route: str
    """``path`` as a template: ids and tokens replaced by ``{}``."""
    status: int
    """0 when no answer came."""
    query: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    """Submitted fields in order; secrets and tokens masked as ``***``."""
    document: bool = False
    """Whether it loaded a page (navigation) rather than data."""
    unprompted: bool = False
    """Whether a page sent it on its own, as it was loaded or time and again since (that somebody is there,
    say), and not because of the Action."""

    @property
    def write(self) -> bool:
        """Whether the Action may have changed something by it, and it was not refused."""
        return self.method not in SAFE_METHODS and 0 < self.status < 400 and not self.unprompted

    @property
    def signature(self) -> str:
        """The language-free name of what was called, such as ``POST /demo/edit/{}``."""
        return f"{self.method} {self.route}"


def is_request(signature: str) -> bool:
    """Whether a signature is that of a Request: its method comes first (``POST /demo/add``)."""
    return signature.partition(" ")[0].isupper()


class StorageWrite(Record):
    """One change of browser storage, a file or a setting behind the screen."""

    area: Literal["local", "session", "cookie", "indexed", "file", "setting", "clipboard"]
    key: str
    value: str = ""
    """The new value, shortened to 2,000 characters, secrets masked; empty when removed."""
    removed: bool = False
    grown: int | None = None
    """How many records more than before (objects, and plain values in lists) its JSON holds; None where it
    is no JSON."""

    @property
    def signature(self) -> str:
        """The language-free name of what was written."""
        return f"{self.area} {self.key}"


class Download(Record):
    """A file that the App handed out."""

    name: str
    route: str
    path: str = ""
    """Concrete path that it came from, without the query."""
    sha256: str = ""
    size: int = 0


class DataChange(Record):
    """What became different in one table of a database, or in one file, that the App's server keeps. It is
    known where the host is ours; what changes by looking at the App (sessions, caches, counters) is left out.
    """

    store: str
    """The database or file, by its path below the App's data folder."""
    table: str = ""
    """Empty for a file, which counts as one row."""
    inserted: int = 0
    updated: int = 0
    deleted: int = 0
    columns: tuple[str, ...] = ()
    """Those whose values differ in updated rows, in the table's order."""


class Delta(Record):
    """How the screen differs afterwards, as displayed lines (multiset difference, in screen order)."""

    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()


class Gesture(Record):
    """Where the Action touched the image: a point, and the box of the element it hit."""

    x: int
    y: int
    box: Box | None = None
    hit: bool = True
    """Whether the element under the point was the target or inside it."""


class Evidence(Record):
    """What a Driver saw while it performed one Action: facts only, no interpretation."""

    requests: tuple[Request, ...] = ()
    storage: tuple[StorageWrite, ...] = ()
    downloads: tuple[Download, ...] = ()
    data: tuple[DataChange, ...] = ()
    dialog: Dialog | None = None
    """The dialog that came up and now waits for a Respond."""
    window_opened: bool = False
    blocked: tuple[str, ...] = ()
    """Origins outside the allow-list that were asked for and refused."""
    gesture: Gesture | None = None
    settled: bool = True


class Effect(Record):
    """Evidence, read: its classes, the UI difference and the outcome."""

    classes: tuple[EffectClass, ...]
    """Most telling first; ``(NONE,)`` when nothing changed."""
    outcome: Outcome
    evidence: Evidence = Evidence()
    delta: Delta = Delta()

    @property
    def main(self) -> EffectClass:
        """The most telling class."""
        return self.classes[0]

    @property
    def writes(self) -> tuple[Request, ...]:
        """Requests that may have changed the App's data."""
        return tuple(request for request in self.evidence.requests if request.write)

"""The Ledger keeps what every stage made of every item, one file each, so that nothing is done twice.

A crawl, a model's answer and a replay cost minutes and money. Their outcomes are kept under a key that
hashes all that could change them: the stage, its settings, our own sources and the item. Whoever asks
again (the same command after ``kill -9``, a runner that retries a bundle) gets the kept one.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import get_ident
from typing import Any, Generic, TypeVar
from zlib import error as ZlibError  # noqa: N812 - an exception's name

from pydantic import TypeAdapter, ValidationError

from pipeline.stage import Stage
from schemas.proof import Fault
from schemas.record import Record, digest
from schemas.rejection import Rejection

In = TypeVar("In", bound=Record)
Out = TypeVar("Out", bound=Record)

PACKAGES = ("schemas", "crawlers", "prompts", "pipeline")
SOURCES = frozenset({".py", ".js", ".j2", ".toml"})
READERS = ("crawlers/apps", "pipeline/cli.py", "pipeline/commands", "pipeline/corpus")
"""Sources that cannot change an outcome: they only read what is kept, or are part of an item (recipes)."""


class Outcome(Record, Generic[Out]):
    """What one stage made of one item."""

    kept: tuple[Out, ...] = ()
    rejected: tuple[Rejection, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether it would be the same again. An environment that failed may work the next time."""
        return all(rejection.fault is not Fault.ENVIRONMENT for rejection in self.rejected)


@dataclass(frozen=True)
class Ledger:
    """The outcomes of one run folder."""

    root: Path
    code: str
    """Hash of the sources that made (or will make) the outcomes."""

    def read(self, folder: str, key: str, kind: type[Out]) -> Outcome[Out] | None:
        """The kept outcome, or None when there is none that can be read."""
        try:
            data = gzip.decompress(self._path(folder, key).read_bytes())
            outcome: Outcome[Out] = _adapter(kind).validate_json(data)
        except (FileNotFoundError, EOFError, gzip.BadGzipFile, ZlibError, ValidationError):
            return None  # damaged is as good as absent: it is made and written again
        return outcome

    def write(self, folder: str, key: str, kind: type[Out], outcome: Outcome[Out]) -> None:
        """Keep an outcome, whole or not at all.

        Raises:
            OSError: when it cannot be written; no part of it is left behind.
        """
        data = gzip.compress(_adapter(kind).dump_json(outcome), compresslevel=1, mtime=0)
        path = self._path(folder, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{os.getpid()}-{get_ident()}")
        try:
            part.write_bytes(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def _path(self, folder: str, key: str) -> Path:
        return self.root / folder / f"{key}.json.gz"


@dataclass(frozen=True)
class Recorded(Generic[In, Out]):
    """A stage that remembers. It is a stage itself."""

    stage: Stage[In, Out]
    ledger: Ledger
    folder: str
    kind: type[Out]
    """The record that the stage yields."""
    settings: tuple[object, ...] = ()
    """The stage's parameters that change what it yields: records and plain values."""

    @property
    def name(self) -> str:
        """The stage's own name."""
        return self.stage.name

    def __call__(self, item: In, /) -> Iterator[Out | Rejection]:
        """What the stage made of the item, made now if it was not before."""
        key = self.key(item)
        outcome = self.recorded(key)
        if outcome is None or not outcome.settled:
            outcome = self.make(key, item)
        yield from outcome.kept
        yield from outcome.rejected

    def key(self, item: In) -> str:
        """The name of the item's outcome."""
        content = hashlib.sha256(item.__pydantic_serializer__.to_json(item)).hexdigest()
        return digest("oc", self.name, self.settings, self.ledger.code, content)

    def recorded(self, key: str) -> Outcome[Out] | None:
        """The kept outcome, if there is one."""
        return self.ledger.read(self.folder, key, self.kind)

    def make(self, key: str, item: In) -> Outcome[Out]:
        """Run the stage and keep what came out. Nothing is kept of a stage that raises."""
        kept: list[Out] = []
        rejected: list[Rejection] = []
        for result in self.stage(item):
            if isinstance(result, Rejection):
                rejected.append(result)
            else:
                kept.append(result)
        outcome = Outcome[Out](kept=tuple(kept), rejected=tuple(rejected))
        self.ledger.write(self.folder, key, self.kind, outcome)
        return outcome


def code_hash(*without: str) -> str:
    """Hash of the four packages' sources, but for the paths ``without``."""
    import pipeline  # noqa: PLC0415 - only to find the folder that holds the four packages

    root = Path(pipeline.__file__).parent.parent
    return digest("co", [[name, hashlib.sha256(data).hexdigest()] for name, data in _sources(root, without)])


def _sources(root: Path, without: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in SOURCES and not any(Path(name).is_relative_to(part) for part in without):
                yield name, path.read_bytes()


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(Outcome[kind])  # type: ignore[valid-type] # a type known only when the flow is put together

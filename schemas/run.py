"""A Run is one execution of the flow; its Manifest is its record and is written last."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from schemas.record import Record


class FileEntry(Record):
    """One file of the corpus."""

    path: str
    """Relative to the run folder."""
    table: str
    rows: int
    bytes: int
    sha256: str
    schema_fingerprint: str = ""


class ModelEntry(Record):
    """One model that took part."""

    role: Literal["writer", "embedder", "judge"]
    name: str
    sha256: str = ""
    endpoint: str = ""


class Manifest(Record):
    """What was run, from what, and what came out."""

    run: str
    """``rn_`` + hash of config, code, prompts and apps."""
    code: str
    """Hash of the four packages' sources."""
    config: str
    """Hash of the resolved config."""
    config_json: str
    apps: tuple[str, ...]
    langs: tuple[str, ...]
    seed: int
    models: tuple[ModelEntry, ...] = ()
    counts: dict[str, int] = {}
    """Table → rows."""
    funnel: dict[str, int] = {}
    """Stage → items kept."""
    rejected: dict[str, int] = {}
    """``stage/reason`` → items."""
    files: tuple[FileEntry, ...] = ()
    started_at: datetime
    finished_at: datetime
    status: Literal["complete", "partial"] = "complete"
    format: str = "1.0"
    """Version of the corpus layout: minor = nullable additions, major = new folders."""

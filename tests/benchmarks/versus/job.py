"""What a rival crawler is asked to do and what it has to report. Standard library only: every rival runs
this in a virtual environment of its own, as ``python SCRIPT.py JOB.json TRIP.json``.
"""

from __future__ import annotations

import json
import re
import sys
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlsplit

SETTLED_LINKS = "Array.from(document.links, link => typeof link.href === 'string' ? link.href : '')"
"""JavaScript for the addresses that a page links to; those of SVG are objects and no addresses."""


@dataclass(frozen=True)
class Job:
    """The same for every rival."""

    origin: str
    entry: str
    """URL of the first page."""
    storage: dict[str, Any]
    """Cookies and local storage that log the session in, as Playwright writes them."""
    loads: int
    """Pages to load."""
    exclude: tuple[str, ...]
    """Regular expressions of paths and queries that are not followed: what ends the session, and what the
    recipe forbids to everybody."""
    executable: str
    arguments: tuple[str, ...]
    """The browser and its flags, the same for everybody."""
    context: dict[str, Any]
    """How a browser context is made: language, size, time zone."""
    seconds: float = 600.0
    """When to give up."""

    def may_follow(self, url: str) -> bool:
        """Whether a link leads inside the App and is not excluded."""
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" != self.origin:
            return False
        asked = f"{parts.path}?{parts.query}" if parts.query else parts.path
        return not any(re.search(pattern, asked) for pattern in self.exclude)

    def one_more(self) -> Job:
        """The job with one page more: one that was asked for could not be loaded."""
        return replace(self, loads=self.loads + 1)

    @property
    def launch(self) -> dict[str, Any]:
        """Playwright's launch options."""
        return {"executable_path": self.executable, "args": list(self.arguments)}

    @property
    def storing(self) -> str:
        """A script for every page that fills its local storage as the session's was."""
        entries = [
            (entry["name"], entry["value"])
            for origin in self.storage.get("origins", ())
            for entry in origin.get("localStorage", ())
        ]
        return f"for (const [name, value] of {json.dumps(entries)}) localStorage.setItem(name, value)"


@dataclass
class Trip:
    """What a rival did."""

    visited: list[str] = field(default_factory=list)
    """URLs of the pages that were loaded, in order, without fragments."""
    requests: list[str] = field(default_factory=list)
    """``METHOD STATUS /path`` of what the pages asked the App's server for, each once."""
    seconds: float = 0.0
    """From the moment that the first page was asked for until the last was dealt with."""
    failed: int = 0
    _begun: float = 0.0

    def begin(self) -> None:
        """Start the clock, the first time that this is called."""
        self._begun = self._begun or time.monotonic()

    def arrive(self, url: str) -> None:
        """Count a page that was loaded and dealt with."""
        self.visited.append(urldefrag(url).url)
        self.seconds = time.monotonic() - self._begun

    def heard(self, method: str, status: int, url: str, origin: str) -> None:
        """Note an answer of the App's server."""
        if url.startswith(f"{origin}/"):
            line = f"{method} {status} {urlsplit(url).path}"
            if line not in self.requests:
                self.requests.append(line)

    def write(self, path: Path) -> None:
        """Write it as JSON."""
        kept = {name: value for name, value in asdict(self).items() if not name.startswith("_")}
        path.write_text(json.dumps(kept), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Trip:
        """Read what a rival wrote."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))


def given() -> tuple[Job, Path]:
    """The job that the command line names, and where to write the trip."""
    source, target = map(Path, sys.argv[1:])
    return Job(**json.loads(source.read_text(encoding="utf-8"))), target

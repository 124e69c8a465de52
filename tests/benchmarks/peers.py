"""Rival crawlers: each in a virtual environment of its own below the cache, run as a script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from versus.job import Job, Trip

from crawlers import cache

SCRIPTS = Path(__file__).resolve().parent / "versus"


class PeerError(Exception):
    """A rival could not be installed or did not come back with a result."""


@dataclass(frozen=True)
class Peer:
    """One rival."""

    name: str
    script: str
    requires: tuple[str, ...] = ()
    """Packages of its environment; none runs it with our own."""

    def python(self) -> str:
        """The interpreter of its environment, made now if it is missing."""
        if not self.requires:
            return sys.executable
        folder = cache.root() / "bench" / "-".join(self.requires).replace("[playwright]", "")
        return str(cache.once(folder, self._install) / "venv" / "bin" / "python")

    def run(self, job: Job) -> Trip:
        """Let it crawl.

        Raises:
            PeerError: it ended badly; its last words are in the message.
        """
        with TemporaryDirectory() as folder:
            task, trip = Path(folder, "job.json"), Path(folder, "trip.json")
            task.write_text(json.dumps(asdict(job)), encoding="utf-8")
            command = [self.python(), str(SCRIPTS / self.script), str(task), str(trip)]
            self._call(command, job.seconds + 120, cwd=folder)
            return Trip.read(trip)

    def _install(self, folder: Path) -> None:
        venv = folder / "venv"
        self._call([sys.executable, "-m", "uv", "venv", "--quiet", "--python", sys.executable, str(venv)])
        fetch = [
            sys.executable,
            "-m",
            "uv",
            "pip",
            "install",
            "--quiet",
            "--python",
            str(venv / "bin/python"),
        ]
        self._call([*fetch, *self.requires])

    def _call(self, command: list[str], seconds: float = 900, cwd: str | None = None) -> None:
        try:
            done = subprocess.run(
                command,
                cwd=cwd,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise PeerError(f"{self.name} took longer than {seconds:.0f} s.") from error
        if done.returncode:
            lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
            raise PeerError(f"{self.name} failed: {lines[-1] if lines else 'no output'}")


BARE = Peer("bare", "bare.py")
CRAWLEE = Peer("crawlee", "crawlee_links.py", ("crawlee[playwright]==1.11.0",))
SCRAPY = Peer("scrapy", "scrapy_links.py", ("scrapy-playwright==0.0.48",))
PEERS = (BARE, CRAWLEE, SCRAPY)

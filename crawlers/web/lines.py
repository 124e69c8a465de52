"""Lines of an App's own Python that run on its server, measured without touching the App: coverage.py lies
in a folder of ours, and a ``sitecustomize`` there starts it in every process of the App.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from crawlers import cache
from crawlers.web.install import Toolbox, install
from schemas.app import App

COVERAGE = "coverage==7.17.5"
STARTER = "import coverage\n\ncoverage.process_startup()\n"
# Threads are what development servers work in; a server that is told to end writes down what it has.
SETTINGS = """\
[run]
data_file = {data}
parallel = true
sigterm = true
include = {include}
"""

Lines = Mapping[str, frozenset[int]]
"""File → numbers of the lines that ran."""


@dataclass(frozen=True)
class Gauge:
    """One App's line coverage. A process writes its lines down when it ends, so read them after ``stop``."""

    app: App
    folder: Path
    packages: tuple[Path, ...]
    """The App's own packages, which are measured; those that it depends on are not."""

    @classmethod
    def of(cls, app: App) -> Gauge | None:
        """The gauge for an App; None where it is no Python program that was installed by us."""
        if not app.install.pypi:
            return None
        packages = own_packages(app, install(app))
        return cls(app, cache.root() / "bench" / "lines" / app.name, packages) if packages else None

    def measured(self) -> App:
        """The App as it is run to be measured; what was measured before is forgotten."""
        tools = cache.once(cache.root() / "bench" / COVERAGE, _fetch)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        settings = self.folder / "settings.ini"
        include = ",".join(f"{package}/*" if package.is_dir() else str(package) for package in self.packages)
        settings.write_text(SETTINGS.format(data=self.folder / "data", include=include), encoding="utf-8")
        path = os.pathsep.join(filter(None, (str(tools), self.app.env.get("PYTHONPATH"))))
        env = {**self.app.env, "PYTHONPATH": path, "COVERAGE_PROCESS_START": str(settings)}
        return self.app.model_copy(update={"env": env})

    def forget(self) -> None:
        """Drop what was measured so far."""
        for path in self.folder.glob("data*"):
            path.unlink()

    def lines(self) -> Lines:
        """The lines that ran in all processes since ``forget``."""
        files = self._report()
        return {name: frozenset(file["executed_lines"]) for name, file in files.items()}

    def statements(self) -> int:
        """Statements in the files of which at least one line ran."""
        return sum(file["summary"]["num_statements"] for file in self._report().values())

    def _report(self) -> dict[str, dict[str, Any]]:
        data = [str(path) for path in sorted(self.folder.glob("data*"))]
        if not data:
            return {}
        env = {**os.environ, "PYTHONPATH": str(cache.root() / "bench" / COVERAGE)}
        coverage = [sys.executable, "-m", "coverage"]
        with TemporaryDirectory() as empty:
            kept, told = Path(empty, "whole"), Path(empty, "told.json")
            combine = [*coverage, "combine", "--keep", "--quiet", f"--data-file={kept}", *data]
            report = [*coverage, "json", "--quiet", "-i", f"--data-file={kept}", "-o", str(told)]
            for command in (combine, report):
                subprocess.run(command, cwd=empty, env=env, check=True, capture_output=True)
            return dict(json.loads(told.read_text(encoding="utf-8"))["files"])


def gained(lines: Lines, before: Lines) -> int:
    """How many lines ran that had not run before."""
    return sum(len(numbers - before.get(name, frozenset())) for name, numbers in lines.items())


def own_packages(app: App, tools: Toolbox) -> tuple[Path, ...]:
    """Folders and modules that the App's first requirement brings."""
    wanted = re.split(r"[^\w.-]", app.install.pypi[0])[0].lower().replace("_", "-")
    for found in importlib.metadata.distributions(path=[str(tools.package)]):
        if found.metadata["Name"].lower().replace("_", "-") == wanted:
            tops = {Path(file).parts[0] for file in found.files or () if file.suffix == ".py"}
            return tuple(sorted(tools.package / top for top in tops if top != ".."))
    return ()


def _fetch(folder: Path) -> None:
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", str(folder), COVERAGE]
    subprocess.run(command, check=True)
    (folder / "sitecustomize.py").write_text(STARTER, encoding="utf-8")

"""Lines of an App's own Python that run on its server, measured without touching the App: it is served with
a folder of ours on its path, from where coverage.py starts in every process of the App.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import coverage

from crawlers.web.install import Toolbox, install
from schemas.app import App

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
class Reading:
    """What ran of an App's own code."""

    lines: Lines
    statements: int
    """Statements in the files of which at least one line ran."""


@dataclass(frozen=True)
class Gauge:
    """One App's line coverage. A process writes its lines down when it ends, so read them after ``stop``."""

    app: App
    packages: tuple[Path, ...]
    """The App's own packages, which are measured; those that it depends on are not."""
    folder: Path
    """Where the App's processes write what they measure; empty at first."""

    @classmethod
    def of(cls, app: App, folder: Path) -> Gauge | None:
        """The gauge for an App; None where it is no Python program that was installed by us.

        Raises:
            HostError: the App cannot be installed.
        """
        packages = own_packages(app, install(app)) if app.install.pypi else ()
        if not packages:
            return None
        include = ",".join(f"{package}/*" if package.is_dir() else str(package) for package in packages)
        settings = SETTINGS.format(data=folder / "data", include=include)
        (folder / "settings.ini").write_text(settings, encoding="utf-8")
        (folder / "sitecustomize.py").write_text(STARTER, encoding="utf-8")
        # Alone on the App's path: nothing else that we work with is for the App to find. Its Python is ours.
        (folder / "coverage").symlink_to(Path(coverage.__file__).parent)
        return cls(app, packages, folder)

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables that the App must be served with."""
        path = os.pathsep.join(filter(None, (str(self.folder), self.app.env.get("PYTHONPATH"))))
        return {"PYTHONPATH": path, "COVERAGE_PROCESS_START": str(self.folder / "settings.ini")}

    def forget(self) -> None:
        """Drop what was measured so far."""
        for path in self.folder.glob("data.*"):
            path.unlink()

    def read(self) -> Reading:
        """What ran in all processes since ``forget``; what a killed one left half written is passed over."""
        parts = sorted(map(str, self.folder.glob("data.*")))
        lines: dict[str, frozenset[int]] = {}
        known = 0
        with TemporaryDirectory() as empty:
            whole = coverage.Coverage(data_file=f"{empty}/whole", config_file=False)
            if parts:
                whole.combine(parts, keep=True)
            for name in sorted(whole.get_data().measured_files()):
                with suppress(coverage.CoverageException):  # its source is gone, or no Python
                    _, statements, _, missing, _ = whole.analysis2(name)
                    lines[name] = frozenset(statements) - frozenset(missing)
                    known += len(statements)
        return Reading(lines, known)


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

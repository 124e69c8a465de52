"""Installing an App: Python requirements into a venv of its own, npm packages into a ``node_modules`` of its
own, Debian packages checked on the machine. Done once per install table and kept in the cache.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from crawlers import cache, debian
from crawlers.host import HostError
from schemas.app import App
from schemas.record import digest


@dataclass(frozen=True)
class Toolbox:
    """Where an App's own programs lie: the placeholders ``{bin} {node} {package}``."""

    folder: Path

    @property
    def bin(self) -> Path:
        """Programs of the App's venv."""
        return self.folder / "venv" / "bin"

    @property
    def node(self) -> Path:
        """The App's ``node_modules``."""
        return self.folder / "node" / "node_modules"

    @property
    def package(self) -> Path:
        """``site-packages`` of the App's venv."""
        major, minor, *_ = sys.version_info
        return self.folder / "venv" / "lib" / f"python{major}.{minor}" / "site-packages"


def install(app: App) -> Toolbox:
    """Install what is missing and return where it is.

    Raises:
        HostError: an installer is missing or failed.
    """
    debian.need(app.title, app.install.debian)
    return Toolbox(cache.once(_folder(app), lambda empty: _fill(empty, app)))


def installed(app: App) -> bool:
    """Whether ``install`` would have nothing to fetch."""
    return all(map(debian.has, app.install.debian)) and cache.complete(_folder(app))


def _folder(app: App) -> Path:
    key = digest("in", app.install, sys.version_info[:2])
    return cache.root() / "installed" / f"{app.name}-{key.removeprefix('in_')}"


def _fill(folder: Path, app: App) -> None:
    if app.install.pypi:
        _install_pypi(folder / "venv", app)
    if app.install.npm:
        _need("npm", app)
        node = folder / "node"
        node.mkdir()
        _run(
            ["npm", "install", "--prefix", str(node), "--no-audit", "--no-fund", *app.install.npm],
            app,
            folder,
        )


def _install_pypi(venv: Path, app: App) -> None:
    uv = _uv()
    python = str(venv / "bin" / "python")
    if uv:
        extra = _for_uv()
        create = [*uv, "venv", "--quiet", "--python", sys.executable, str(venv)]
        fetch = [*uv, "pip", "install", "--quiet", "--python", python]
    else:
        extra = {}
        create = [sys.executable, "-m", "venv", str(venv)]
        fetch = [python, "-m", "pip", "install", "--quiet"]
    _run(create, app, venv.parent, extra)
    _run([*fetch, *app.install.pypi], app, venv.parent, extra)


def _for_uv() -> dict[str, str]:
    """What was set for pip, in uv's words: uv reads none of it. Settings for uv itself come first."""
    links = ",".join(os.environ.get("PIP_FIND_LINKS", "").split())
    handed = {
        "UV_FIND_LINKS": links,
        "UV_DEFAULT_INDEX": os.environ.get("PIP_INDEX_URL", ""),
        "SSL_CERT_FILE": os.environ.get("PIP_CERT", ""),
    }
    return {name: value for name, value in handed.items() if value and name not in os.environ}


def _uv() -> list[str]:
    if importlib.util.find_spec("uv"):
        return [sys.executable, "-m", "uv"]
    return ["uv"] if shutil.which("uv") else []


def _need(program: str, app: App) -> None:
    if not shutil.which(program):
        raise HostError(f"{app.title} needs {program}, which is not on PATH; install it.")


def _run(argv: Sequence[str], app: App, cwd: Path, extra: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(
        argv, cwd=cwd, env={**os.environ, **(extra or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise HostError(
            f"{app.title} could not be installed: {' '.join(argv[:3])} … failed"
            f" ({said[-1] if said else 'no output'})."
        )

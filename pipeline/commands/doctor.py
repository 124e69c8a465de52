"""``doctor``: what this machine offers, and what to do about what it lacks."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import typer

from crawlers.clock import variables
from crawlers.host import HostError
from crawlers.platforms import HostPool
from crawlers.recipe import available, load
from crawlers.web import browser as browsers
from pipeline.errors import GroundsmithError
from pipeline.models import files
from schemas.record import Record


class Finding(Record):
    """What was found out about one thing."""

    what: str
    ok: bool
    said: str
    """Where it is, or what to do."""
    needed: bool = True
    """Whether nothing goes without it."""


def doctor(apps: Sequence[str], *, every: bool, browser: bool, as_json: bool) -> int:
    """Look, report, answer the exit code: 1 when something is missing without which nothing goes."""
    findings: list[Finding] = []
    for finding in _findings(apps or (available() if every else ()), browser=browser):
        findings.append(finding)
        if not as_json:
            mark = "ok" if finding.ok else "MISSING" if finding.needed else "without"
            typer.echo(f"{mark:8} {finding.what:20} {finding.said}")
    if as_json:
        typer.echo(json.dumps([finding.model_dump() for finding in findings], ensure_ascii=False))
    return 0 if all(finding.ok for finding in findings if finding.needed) else 1


def _findings(apps: Sequence[str], *, browser: bool) -> Iterator[Finding]:
    yield _tried("browser", _browser)
    if browser:
        return
    yield _fonts()
    yield _tried("frozen clock", _clock, needed=False)
    yield _tried("model", _model, needed=False)
    yield _program("uv", "pip install uv: without it apps are installed by pip, slowly")
    yield _program("npm", "install Node.js with npm for apps that need it (todomvc)")
    yield _program("Xvfb", "make setup-desktop: without it desktop programs cannot be run")
    for name in apps:
        yield _tried(f"app {name}", partial(_start, name))


def _tried(what: str, look: Callable[[], str], *, needed: bool = True) -> Finding:
    try:
        return Finding(what=what, ok=True, said=look(), needed=needed)
    except (GroundsmithError, HostError, ValueError) as error:
        return Finding(what=what, ok=False, said=str(error), needed=needed)


def _fonts() -> Finding:
    """Without them Chinese screenshots are full of boxes."""
    families: list[str] = []
    if shutil.which("fc-list"):
        listing = ["fc-list", ":lang=zh", "family"]
        listed = subprocess.run(listing, capture_output=True, text=True, check=False)
        families = sorted(listed.stdout.splitlines())
    missing = "no Chinese font; on Debian: apt-get install fonts-noto-cjk fontconfig"
    return Finding(what="fonts", ok=bool(families), said=(families or [missing])[0], needed=False)


def _browser() -> str:
    """Start it once."""
    return f"Chromium {browsers.shared().version()}"


def _clock() -> str:
    """Without it dates on screens differ between runs."""
    if not variables("2027-01-01 00:00:00"):
        raise GroundsmithError("no libfaketime; on Debian: apt-get install libfaketime")
    return "libfaketime"


def _model() -> str:
    return str(files.find(files.DEFAULT))


def _program(name: str, missing: str) -> Finding:
    beside = shutil.which(name, path=str(sys.prefix) + "/bin")
    path = beside or shutil.which(name)
    return Finding(what=name, ok=path is not None, said=path or missing, needed=False)


def _start(name: str) -> str:
    """Install, start and reset an app in its first language."""
    app = load(name)
    pool = HostPool()
    try:
        pool.host(app, app.languages[0]).restore()
    finally:
        pool.close_all()
    return f"{app.title} {app.version} starts and resets"

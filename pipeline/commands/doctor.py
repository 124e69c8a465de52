"""``doctor``: what this machine offers, which apps of the pool run on it, and what to do about the rest."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import typer

from crawlers.checkup import Checkup, examine
from crawlers.clock import variables
from crawlers.driver import DriverError
from crawlers.host import HostError
from crawlers.platforms import open_host
from crawlers.recipe import available, load
from crawlers.web import browser as browsers
from pipeline.errors import GroundsmithError
from pipeline.models import files
from pipeline.text.language import writes_in
from schemas.app import App
from schemas.record import Record


class Finding(Record):
    """What was found out about one thing."""

    what: str
    ok: bool
    said: str
    """Where it is, or what to do."""
    needed: bool = True
    """Whether nothing goes without it."""
    checkup: Checkup | None = None
    """What was measured of an app."""


def doctor(apps: Sequence[str], pictures: Path, *, every: bool, browser: bool, as_json: bool) -> int:
    """Look, report, answer the exit code: 1 when something is missing without which nothing goes, or an
    app does not do what its recipe says. ``pictures`` takes a screenshot of each.
    """
    findings: list[Finding] = []
    for finding in _findings(apps or (available() if every else ()), pictures, browser=browser):
        findings.append(finding)
        if not as_json:
            mark = "ok" if finding.ok else "MISSING" if finding.needed else "without"
            typer.echo(f"{mark:8} {finding.what:20} {finding.said}")
    if as_json:
        typer.echo(json.dumps([finding.model_dump() for finding in findings], ensure_ascii=False))
    return 0 if all(finding.ok for finding in findings if finding.needed) else 1


def _findings(apps: Sequence[str], pictures: Path, *, browser: bool) -> Iterator[Finding]:
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
        yield from _app(name, pictures)


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


def _app(name: str, pictures: Path) -> Iterator[Finding]:
    """An app in each of its languages. One that fails leaves the others to be tried."""
    try:
        app = load(name)
    except ValueError as error:
        yield Finding(what=f"app {name}", ok=False, said=str(error))
        return
    spoken: dict[tuple[str, ...], str] = {}
    for lang in app.languages:
        found = _examined(app, lang, pictures / f"{app.name}-{lang}.png")
        words = found.checkup.words if found.checkup else ()
        complaint = _foreign(app, words, lang, spoken.setdefault(words, lang)) if words else ""
        yield found.model_copy(update={"ok": False, "said": complaint}) if complaint else found


def _examined(app: App, lang: str, picture: Path) -> Finding:
    what = f"app {app.name} {lang}"
    picture.parent.mkdir(parents=True, exist_ok=True)
    try:
        checkup = examine(open_host(app, lang), picture.write_bytes)
    except (HostError, DriverError) as error:
        return Finding(what=what, ok=False, said=str(error))
    except Exception as error:  # noqa: BLE001 - whatever it is, the other apps are still to be tried
        return Finding(what=what, ok=False, said=f"{app.title}: {type(error).__name__}: {error}")
    said = (
        f"prepared in {checkup.prepare_s:.1f} s, starts in {checkup.start_s:.1f} s, resets in"
        f" {checkup.reset_s:.2f} s{'' if checkup.wrote else ' (nothing was written)'},"
        f" {checkup.memory / 2**20:.0f} MiB, {picture}"
    )
    return Finding(what=what, ok=True, said=said, checkup=checkup)


def _foreign(app: App, words: Sequence[str], lang: str, first: str) -> str:
    """What is wrong with the language of an app's controls; empty where nothing is."""
    if first != lang:
        return f"{app.title} says the same in {lang} as in {first}; see how its recipe sets the language."
    if not writes_in("".join(words), lang):
        return f"{app.title} shows no control in the script of {lang}; see how its recipe sets the language."
    return ""

"""Programs for tests: recipes, screens that were recorded, and what has to be there to run any of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from crawlers import debian
from crawlers.desktop.raw import RawScreen
from crawlers.desktop.setup import NEEDED
from schemas.app import App, Desktop, Install, Locale, Platform

SCREENS = Path(__file__).parent / "screens"
PROGRAMS = Path(__file__).parent / "programs"
CODES = {"en": "en_US.UTF-8", "zh-Hans": "zh_CN.UTF-8"}


def recipe(*command: str, **changes: object) -> App:
    """The recipe of a made-up program."""
    app = App(
        name="notes",
        title="Notes",
        platform=Platform.DESKTOP,
        licence="Apache-2.0",
        version="1",
        desktop=Desktop(toolkit="gtk3", launch=command),
        locale=Locale(via="environment", codes=CODES),
        clock="",
    )
    return app.model_copy(update=changes)


@pytest.fixture
def notes() -> App:
    return recipe("notes")


@pytest.fixture(scope="session")
def screen() -> Callable[[str], RawScreen]:
    """A recorded screen by name."""
    return lambda name: RawScreen.model_validate_json((SCREENS / f"{name}.json").read_bytes())


@pytest.fixture(name="require")
def _require() -> Callable[..., None]:
    return require


def require(*packages: str) -> None:
    """Skip the test, naming the Debian package that is missing."""
    for name in (*NEEDED, *packages):
        if not debian.has(name):
            pytest.skip(f"the Debian package {name} is missing; make setup-desktop installs it")


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    """A program that does as it is told, however bad."""
    require("python3-gi", "gir1.2-gtk-3.0")
    if not shutil.which("/usr/bin/python3"):
        pytest.skip("Debian's own Python is missing; apt-get install python3-gi")
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path / "cache"))
    install = Install(debian=("python3-gi", "gir1.2-gtk-3.0"))
    return recipe("/usr/bin/python3", str(PROGRAMS / "odd.py"), name="odd", title="Odd", install=install)

"""A recipe is an App written down in TOML: adding an app of a known kind takes a file and no Python.

Recipes lie in ``data/apps/<platform>/`` of a checkout; the wheel carries the same files inside this
package.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from schemas.app import App

SHELVES = (
    Path(__file__).resolve().parent / "apps",
    Path(__file__).resolve().parent.parent / "data" / "apps",
)
"""Where recipes are looked for, by platform: as installed, then as checked out."""


class RecipeError(ValueError):
    """A recipe cannot be found or is wrong. The message is one sentence that says what to do."""


def available() -> tuple[str, ...]:
    """Names of the shipped recipes, sorted."""
    return tuple(sorted(_shipped()))


def load(name_or_path: str | Path) -> App:
    """Read one recipe, by the name of a shipped one or by the path of a TOML file.

    Raises:
        RecipeError: unknown name, unreadable file, broken TOML (its line), wrong field (the reason).
    """
    path = _find(str(name_or_path))
    app = _validated(path, _parsed(path))
    if app.name != path.stem:
        raise RecipeError(
            f"{path}: the app is called {app.name!r}, so name the file {app.name}.toml or change the name."
        )
    _check_clock(path, app)
    _check_patterns(path, app)
    return app


def _check_clock(path: Path, app: App) -> None:
    try:
        datetime.strptime(app.clock or "2027-01-01 00:00:00", "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007 - UTC by agreement
    except ValueError as error:
        raise RecipeError(
            f'{path}: write clock as "YYYY-MM-DD HH:MM:SS", or "" for the real clock.'
        ) from error


def _check_patterns(path: Path, app: App) -> None:
    for field in ("never", "unlinked"):
        for pattern in getattr(app, field):
            try:
                re.compile(pattern)
            except re.error as error:
                raise RecipeError(
                    f"{path}: {pattern!r} in {field} is no regular expression ({error}); correct it."
                ) from error


def _shipped() -> dict[str, Path]:
    return {path.stem: path for shelf in SHELVES for path in sorted(shelf.glob("*/*.toml"))}


def _find(given: str) -> Path:
    if given.endswith(".toml") or "/" in given:
        path = Path(given)
        if not path.is_file():
            raise RecipeError(f"There is no recipe file {given}; give the path of a TOML file.")
        return path
    shipped = _shipped()
    if given not in shipped:
        close = difflib.get_close_matches(given, shipped, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        known = ", ".join(sorted(shipped)) or "none"
        raise RecipeError(f"There is no app {given!r}: {hint}Known apps: {known}; or give a .toml file.")
    return shipped[given]


def _parsed(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"{path} cannot be read ({error.strerror}); check the file.") from error
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path} is not UTF-8 text; save it as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"{path} is not valid TOML: {error}; correct that line.") from error


def _validated(path: Path, table: dict[str, object]) -> App:
    try:
        return App.model_validate(table)
    except ValidationError as error:
        faults = "; ".join(_fault(detail["loc"], detail["msg"]) for detail in error.errors()[:3])
        raise RecipeError(f"{path} is not a valid recipe: {faults}.") from error


def _fault(where: tuple[int | str, ...], why: str) -> str:
    field = ".".join(str(part) for part in where)
    close = difflib.get_close_matches(field, App.model_fields, n=1) if "Extra" in why else []
    hint = f" (did you mean {close[0]}?)" if close else ""
    return f"{field or 'recipe'}: {why.removeprefix('Value error, ').lower()}{hint}"

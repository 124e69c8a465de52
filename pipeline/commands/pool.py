"""What there is to crawl: the apps that ship."""

from __future__ import annotations

import json
from collections.abc import Sequence

import typer

from crawlers.recipe import available, load
from pipeline.commands.table import aligned
from pipeline.errors import ConfigError
from schemas.app import App, Platform

COLUMNS = ("name", "title", "category", "platform", "languages", "licence")


def apps(platform: str, langs: Sequence[str], *, as_json: bool) -> None:
    """List the shipped apps of a platform (empty for all) that speak all of the languages.

    Raises:
        ConfigError: there is no such platform.
    """
    if platform and platform not in set(Platform):
        raise ConfigError(f"there is no platform {platform!r}; choose from {', '.join(Platform)}")
    found = [
        app
        for app in map(load, available())
        if platform in {"", app.platform} and set(langs) <= set(app.languages)
    ]
    if as_json:
        typer.echo(json.dumps([_told(app) for app in found], ensure_ascii=False))
        return
    typer.echo(aligned(COLUMNS, [(*_row(app),) for app in found]))


def _told(app: App) -> dict[str, object]:
    return {**dict(zip(COLUMNS, _row(app), strict=True)), "languages": app.languages}


def _row(app: App) -> tuple[str, ...]:
    langs = " ".join(app.languages)
    return app.name, app.title, app.category, app.platform, langs, app.licence

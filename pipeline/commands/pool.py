"""What there is to crawl: the apps that ship, and public sites."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

import typer

from crawlers.recipe import available, load
from crawlers.sites import PublicSite, sample, sites
from pipeline.commands.table import aligned
from pipeline.errors import ConfigError
from schemas.app import App, Platform

APP = ("name", "title", "category", "platform", "languages", "licence")

SITE = ("domain", "category", "lang", "title")


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
    typer.echo(aligned(APP, [(*_row(app),) for app in found]))


def draw(count: int, seed: int, categories: Sequence[str], langs: Sequence[str], *, as_json: bool) -> None:
    """Draw public sites.

    Raises:
        ConfigError: the pool has no such category or language.
    """
    _known("category", categories, {site.category for site in sites()})
    _known("language", langs, {site.tag for site in sites()})
    drawn = [_site(site) for site in sample(count, seed=seed, categories=categories, langs=langs)]
    if as_json:
        typer.echo(json.dumps([dict(zip(SITE, row, strict=True)) for row in drawn], ensure_ascii=False))
        return
    typer.echo(aligned(SITE, drawn))


def _known(what: str, given: Sequence[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            raise ConfigError(f"the pool has no {what} {name!r}; choose from {', '.join(sorted(known))}")


def _site(site: PublicSite) -> tuple[str, ...]:
    return site.domain, site.category, site.tag, site.title


def _told(app: App) -> dict[str, object]:
    return {**dict(zip(APP, _row(app), strict=True)), "languages": app.languages}


def _row(app: App) -> tuple[str, ...]:
    langs = " ".join(app.languages)
    return app.name, app.title, app.category, app.platform, langs, app.licence

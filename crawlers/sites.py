"""The pool of public sites: a table of domains by category and language, and Apps made of its rows."""

from __future__ import annotations

import csv
import difflib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, islice, zip_longest
from pathlib import Path

from crawlers.recipe import RecipeError
from schemas.app import App, Locale, Platform, Site
from schemas.record import Record, digest

_FOLDERS = (
    Path(__file__).resolve().parent / "pools",
    Path(__file__).resolve().parent.parent / "data" / "pools",
)
"""Where the table is looked for: as installed, then as checked out."""
_TAGS = {"zh-CN": "zh-Hans", "zh-TW": "zh-Hant", "zh-HK": "zh-Hant"}
"""Languages that the table names by where they are written and we by how."""


class PublicSite(Record):
    """One row. It says that the site is public, not that it may be crawled: robots.txt says that."""

    domain: str
    category: str
    lang: str
    """BCP-47 tag of its main language, as the table has it."""
    title: str
    source: str
    """Who chose it; see NOTICE."""

    @property
    def tag(self) -> str:
        """The tag that crawls go by."""
        return _TAGS.get(self.lang, self.lang)

    @property
    def stratum(self) -> tuple[str, str]:
        """What it is a sample of."""
        return self.category, self.tag


@cache
def sites() -> tuple[PublicSite, ...]:
    """The whole pool, in the order of the table."""
    path = next(folder / "web.csv" for folder in _FOLDERS if (folder / "web.csv").is_file())
    with path.open(encoding="utf-8", newline="") as table:
        return tuple(
            PublicSite(
                domain=row["domain"],
                category=row["category"],
                lang=row["lang"],
                title=row["title"] or row["domain"],
                source=row["source_id"],
            )
            for row in csv.DictReader(table)
        )


def sample(
    count: int, *, seed: int, categories: Collection[str] = (), langs: Collection[str] = ()
) -> tuple[PublicSite, ...]:
    """Some sites of these categories and languages (of all, where none are named), the same for the same
    seed. Categories and languages take turns, so none drowns the others; a smaller sample begins a larger.
    """
    strata: dict[tuple[str, str], list[PublicSite]] = defaultdict(list)
    for site in sites():
        if (not categories or site.category in categories) and (not langs or site.tag in langs):
            strata[site.stratum].append(site)
    shuffled = sorted(strata, key=lambda stratum: digest("", seed, *stratum))
    drawn = (sorted(strata[stratum], key=lambda site: digest("", seed, site.domain)) for stratum in shuffled)
    return tuple(islice(_in_turn(drawn), count))


def _in_turn(groups: Iterable[Iterable[PublicSite]]) -> Iterator[PublicSite]:
    return (site for site in chain.from_iterable(zip_longest(*groups)) if site is not None)


def site_app(domain: str, contact: str) -> App:
    """The App that stands for a site of the pool, crawled by whoever can be reached at ``contact``.

    Raises:
        RecipeError: the pool has no such domain.
    """
    found = next((site for site in sites() if site.domain == domain), None)
    if found is None:
        close = difflib.get_close_matches(domain, [site.domain for site in sites()], n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise RecipeError(
            f"{domain!r} is not in the pool of public sites: {hint}Another site takes a recipe with [site]."
        )
    return App(
        name=found.domain,
        title=found.title,
        platform=Platform.WEB,
        licence="NOASSERTION",  # SPDX for: nobody has looked
        homepage=f"https://{found.domain}",
        category=found.category,
        site=Site(origin=f"https://{found.domain}", contact=contact),
        locale=Locale(via="browser", codes={found.tag: found.lang}),
        restart=False,
        clock="",
    )

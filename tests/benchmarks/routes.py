"""An app's own route table, and which of its routes a crawl has exercised."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

EXCLUDED = (
    r"api\.",  # for programs: they have no screens
    r"static$|main\.favicon$",  # files
    r"main\.health$",  # asked by monitors, linked nowhere
    r"main\.(admin|dashboard|dashboard_delete_project)$",  # for the site's administrator
    # Mail: sending invitations and reminders, and the pages that only a link in a mail leads to.
    r"main\.(invite|join_project|remind_password|password_reminder_sent|reset_password)$",
)
"""Endpoints of ihatemoney that a user who is logged in has no business with, by what they are."""

CONVERTERS = {"int": r"(?:\d+|\{\})", "path": r".+"}
"""What a placeholder takes; everything else is one segment. ``{}`` is how coverage writes an id."""


@dataclass(frozen=True)
class Route:
    """One rule of a Flask app."""

    endpoint: str
    methods: frozenset[str]
    rule: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Matches the paths that the rule serves."""
        parts = re.split(r"<(?:(\w+)(?:\([^)]*\))?:)?\w+>", self.rule)
        texts, kinds = parts[::2], parts[1::2]
        wanted = [re.escape(texts[0])]
        for kind, text in zip(kinds, texts[1:], strict=True):
            wanted += [CONVERTERS.get(kind or "", r"[^/]+"), re.escape(text)]
        return re.compile("".join(wanted) + "/?")

    @property
    def vagueness(self) -> int:
        """Placeholders: of two rules that fit a path, the one with fewer serves it."""
        return self.rule.count("<")


def parse(table: str) -> tuple[Route, ...]:
    """The routes in what ``flask routes`` printed; lines that are no rows are passed over."""
    rows = (re.split(r"\s{2,}", line.strip()) for line in table.splitlines())
    return tuple(
        Route(row[0], frozenset(row[1].split(", ")), row[2])
        for row in rows
        if len(row) == 3 and row[2].startswith("/")
    )


def own(routes: Iterable[Route]) -> tuple[Route, ...]:
    """Those that a crawl is measured on."""
    excluded = re.compile("|".join(EXCLUDED))
    return tuple(route for route in routes if not excluded.match(route.endpoint))


def exercised(routes: tuple[Route, ...], requests: Iterable[str]) -> frozenset[Route]:
    """The routes that ``METHOD /path`` lines have reached."""
    ranked = sorted(routes, key=lambda route: (route.vagueness, -len(route.rule)))
    found: set[Route] = set()
    for line in requests:
        method, _, path = line.partition(" ")
        served = (route for route in ranked if method in route.methods and route.pattern.fullmatch(path))
        found.update([first] if (first := next(served, None)) else [])
    return frozenset(found)


def share(routes: tuple[Route, ...], requests: Iterable[str]) -> float:
    """Share of the app's own routes that were exercised."""
    mine = own(routes)
    return len(exercised(routes, requests) & set(mine)) / len(mine) if mine else 0.0

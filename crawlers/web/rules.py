"""An App's own route table, and which of its routes requests have reached."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CONVERTERS = {"int": r"(?:\d+|\{\})", "path": r".+"}
"""What a placeholder takes; everything else is one segment. ``{}`` is how a request's route writes an id."""


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


@dataclass(frozen=True)
class Reach:
    """How many of an App's own routes a user can come to, and how many of these were."""

    reached: int
    known: int

    @property
    def share(self) -> float:
        """The part that was reached; 0 where none is known."""
        return self.reached / self.known if self.known else 0.0


def reach(table: str, unlinked: Sequence[str], requests: Iterable[str]) -> Reach:
    """What the requests, ``METHOD /path`` each, reached of the routes in a table that ``flask routes``
    printed; ``unlinked`` are regular expressions of the endpoints that do not count.
    """
    routes = parse(table)
    mine = set(own(routes, unlinked))
    return Reach(len(exercised(routes, requests) & mine), len(mine))


def parse(table: str) -> tuple[Route, ...]:
    """The routes in what ``flask routes`` printed; lines that are no rows are passed over."""
    rows = (re.split(r"\s{2,}", line.strip()) for line in table.splitlines())
    return tuple(
        Route(row[0], frozenset(row[1].split(", ")), row[2])
        for row in rows
        if len(row) == 3 and row[2].startswith("/")
    )


def own(routes: Iterable[Route], unlinked: Sequence[str]) -> tuple[Route, ...]:
    """Those that a crawl is measured on."""
    return tuple(
        route for route in routes if not any(re.match(pattern, route.endpoint) for pattern in unlinked)
    )


def exercised(routes: tuple[Route, ...], requests: Iterable[str]) -> frozenset[Route]:
    """The routes that ``METHOD /path`` lines have reached."""
    ranked = sorted(routes, key=lambda route: (route.vagueness, -len(route.rule)))
    found: set[Route] = set()
    for line in requests:
        method, _, path = line.partition(" ")
        served = (route for route in ranked if method in route.methods and route.pattern.fullmatch(path))
        found.update([first] if (first := next(served, None)) else [])
    return frozenset(found)

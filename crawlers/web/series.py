"""Series: links of the entries of one list that are one function, each for its own entry.

Ids that are words (wiki pages, tags, short codes) look like different functions, one by one; as a series they
do not. Links are a series where they stand at the same place of their entries, or where each has an entry of
its own, and their routes differ in one segment only. What is data in one link of an entry is data in all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from crawlers.web.leads import Leads
from crawlers.web.raw import RawNode, RawPage

MANY = 4
"""Links of a series from which the segment in which they differ is taken for data, whatever it looks like."""
FIRST_DATA = 4
"""Place of the second segment in a route that is split at its separators: ``"", /, wiki, /, Page``."""
_HOLE = "{}"


@dataclass(frozen=True)
class _Link:
    """One link of an entry: its index, that of the entry, how many-th it is there, and where it leads."""

    index: int
    entry: int
    place: int
    route: str


@dataclass
class _List:
    """The links of the entries of one role below one node."""

    places: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    """How many-th link of its entry → routes."""
    entries: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Route → entries that hold it."""
    links: list[_Link] = field(default_factory=list)

    def add(self, link: _Link) -> None:
        """One more link."""
        self.places[link.place].add(link.route)
        self.entries[link.route].add(link.entry)
        self.links.append(link)

    def shared(self) -> Iterator[tuple[int, str]]:
        """Every link that holds data, by index, with its route without it."""
        at = {place: _shared(sorted(routes)) for place, routes in self.places.items()}
        own = dict(self._own())
        data: defaultdict[int, set[str]] = defaultdict(set)
        for link in self.links:
            route = at[link.place] or own.get(link.route)
            if route:
                data[link.entry].update(set(_segments(link.route)) - set(_segments(route)))
                yield link.index, route
        for link in self.links:
            route = _without(link.route, data[link.entry])
            if route != link.route and not at[link.place] and link.route not in own:
                yield link.index, route

    def _own(self) -> Iterator[tuple[str, str]]:
        """Routes that one entry alone holds, where other entries hold one like it → what they share."""
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for route, entries in self.entries.items():
            if len(entries) == 1:
                for pattern in _patterns(route):
                    alike[pattern].append(route)
        for routes in alike.values():
            holders = {entry for route in routes for entry in self.entries[route]}
            if 1 < len(routes) == len(holders):
                shared = _shared(sorted(routes))
                yield from ((route, shared) for route in routes if shared)


def series_of(page: RawPage, leads: Leads) -> Mapping[int, str]:
    """Links that are one of a series: index → the route that its series shares."""
    nodes = page["nodes"]
    lists: defaultdict[tuple[int, str], _List] = defaultdict(_List)
    places: defaultdict[int, int] = defaultdict(int)
    for index, node in enumerate(nodes):
        href = node.get("href", "")
        entry = _entry(nodes, index) if href and not leads.in_page(href) else -1
        if entry >= 0:
            places[entry] += 1
            above = nodes[entry].get("p", -1), nodes[entry]["role"]
            lists[above].add(_Link(index, entry, places[entry], leads.route(href)))
    return {index: route for each in lists.values() for index, route in each.shared()}


def _entry(nodes: Sequence[RawNode], index: int) -> int:
    while index >= 0 and "item" not in nodes[index]:
        index = nodes[index].get("p", -1)
    return index


def _shared(routes: Sequence[str]) -> str:
    """The one template of several routes that differ in a single segment, else nothing."""
    rows = [_segments(route) for route in routes]
    if len({len(row) for row in rows}) > 1:
        return ""
    differing = [at for at, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1]
    # The first segment is no data: it tells the parts of an App.
    if len(differing) != 1 or differing[0] < FIRST_DATA:
        return ""
    # Few do where one of them is data by its own look.
    if len(rows) < MANY and not any(row[differing[0]] == _HOLE for row in rows):
        return ""
    return _with_hole(rows[0], differing[0])


def _patterns(route: str) -> Iterator[str]:
    """The route with one of its segments left open, for each that may be data."""
    row = _segments(route)
    yield from (_with_hole(row, at) for at in range(FIRST_DATA, len(row), 2))


def _without(route: str, data: Collection[str]) -> str:
    """The route with its segments that are data left open."""
    row = _segments(route)
    return "".join(_HOLE if at >= FIRST_DATA and part in data else part for at, part in enumerate(row))


def _segments(route: str) -> list[str]:
    return re.split(r"([/?&=])", route)


def _with_hole(row: Iterable[str], place: int) -> str:
    return "".join(_HOLE if at == place else part for at, part in enumerate(row))

"""Keys: names for the nodes of a walk that hold on every visit and in every language.

A key is a path of structure: ``main/table#bill_table/row[2]/cell.6/link=/demo/edit/{}``. A step is a role
with the first of what it has: its submitted name (``@``), where it leads or sends (``=``), its stable id
(``#``). Steps that are alike below one container are numbered (``.2``). Entries of a repeated list carry
their place in brackets, which the template leaves out. Displayed text never enters a key.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from crawlers.web.raw import RawNode, RawPage
from crawlers.web.routes import address_of, chosen, origin_of, route_of
from crawlers.web.tokens import is_random
from schemas.record import digest

_PATH_ROLES = frozenset(
    {*("navigation", "main", "complementary", "form", "dialog", "alertdialog", "table", "grid", "tree")}
    | {*("list", "group", "article", "search", "banner", "contentinfo", "region", "alert", "status", "log")}
    | {*("row", "cell", "columnheader", "rowheader", "gridcell", "tablist", "tabpanel", "menu", "menubar")}
    | {*("toolbar", "radiogroup", "feed", "iframe", "figure", "definition", "treeitem")}
)
"""Containers that become steps of the keys below them. Others come and go with layout and are skipped."""
_TEXT_ROLES = frozenset({"heading", "text", "img"})
"""Their ids are often made of displayed text."""
_STABLE = re.compile(r"[A-Za-z_][\w.:\[\]{}-]*")
_GENERATED = re.compile(r":r\w+:|^(?:ember|radix|headlessui|react-aria|mui|yui|ext-gen|gwt-uid|ui-id)")
_DIGITS = re.compile(r"\d+")
SERIES = 4
"""Entries of a list whose links differ in one segment only from which that segment is taken for data."""


FIRST_DATA = 4
"""Place of the second segment in a route that is split at its separators: ``"", /, wiki, /, Page``."""


@dataclass(frozen=True)
class Key:
    """The two names of a node."""

    key: str
    template: str


def stable(name: str) -> str:
    """An id or field name with its numbers taken out; empty when a program made it up."""
    if _GENERATED.search(name) or is_random(name) or not _STABLE.fullmatch(name):
        return ""
    return _DIGITS.sub("{}", name)


def keys_of(page: RawPage) -> tuple[Key, ...]:
    """The keys of all nodes, in order, each different from the others."""
    nodes = page["nodes"]
    series = _series(page)
    found: list[Key] = []
    seen: Counter[tuple[int, str]] = Counter()
    for index, node in enumerate(nodes):
        container = _container(nodes, node.get("p", -1))
        step = _step(page, node)
        above = found[container] if container >= 0 else Key("", "")
        seen[container, _sort(node, step)] += 1
        rank = seen[container, _sort(node, step)]
        if _repeats(node):
            mine, general = f"{step}[{rank}]", f"{step}[]"
        else:
            mine = general = step if rank == 1 else f"{step}.{rank}"
        if index in series:
            general = f"{node['role']}={series[index]}"
        found.append(Key(_join(above.key, mine), _join(above.template, general)))
    return tuple(found)


def route_at(page: RawPage, written: str) -> str:
    """Route of a link or form target as written: inside the App a template, outside the host. One that leads
    to the page's own path is told by what it adds to the query or changes there: the rest only carries on
    what the page was asked for.
    """
    url = urljoin(page["url"], written)
    origin = origin_of(page["url"])
    address = address_of(url, origin)
    if not address.startswith("/"):
        return urlsplit(url).netloc
    return route_of(_without(address, address_of(page["url"], origin)))


def _without(address: str, here: str) -> str:
    there, place = urlsplit(address), urlsplit(here)
    if there.path != place.path:  # most lead elsewhere
        return address
    held = set(parse_qsl(place.query, keep_blank_values=True))
    pairs = parse_qsl(there.query, keep_blank_values=True)
    changed = [pair for pair in pairs if pair not in held]
    if not changed or len(changed) == len(pairs):
        return address
    return there._replace(query=urlencode(changed)).geturl()


def _join(above: str, step: str) -> str:
    return f"{above}/{step}" if above else step


def _sort(node: RawNode, step: str) -> str:
    return f"{step}[]" if _repeats(node) else step


def _repeats(node: RawNode) -> bool:
    """Whether there are as many of it as there is data: entries of a list, links of a trail of pages, and
    boxes that stand for one.
    """
    boxed = "check" in node and bool(node.get("value")) and not stable(node["value"])
    return "item" in node or "trail" in node or boxed


def _container(nodes: Sequence[RawNode], index: int) -> int:
    while index >= 0 and "item" not in nodes[index] and nodes[index]["role"] not in _PATH_ROLES:
        index = nodes[index].get("p", -1)
    return index


def _step(page: RawPage, node: RawNode) -> str:
    role = node["role"]
    if role == "heading":
        return f"heading{node.get('level', '')}"
    mark = _mark(page, node)
    anchor = "" if mark else stable(node.get("anchor", ""))
    return f"{f'#{anchor}/' if anchor else ''}{role}{mark}"


def _mark(page: RawPage, node: RawNode) -> str:
    """What tells a node from its like, written after its role."""
    if "trail" in node:
        return ""
    name = stable(node.get("field", ""))
    if name:
        value = stable(node.get("value", "")) if "check" in node else ""
        return f"@{name}={value}" if value else f"@{name}"
    if node["tag"] == "form":
        names = digest("", sorted({_DIGITS.sub("{}", name) for name in node.get("names", [])}))[1:5]
        sends = node.get("sends", "")
        # What has no address of its own is sent to the page's, whatever that was asked for.
        route = route_at(page, sends).partition("#")[0]  # a fragment is never sent
        return f"={route if sends else chosen(route)}~{names}"
    href = node.get("href", "")
    if href and not _in_page(page, href):
        return f"={route_at(page, href)}"
    for given in (node.get("id", ""), node.get("aim", "").lstrip("#")):
        if given and node["role"] not in _TEXT_ROLES and stable(given):
            return f"#{stable(given)}"
    return ""


def _in_page(page: RawPage, href: str) -> bool:
    """Whether a link only runs a script or jumps within its own page."""
    if href.startswith("javascript:"):
        return True
    here, _, _ = page["url"].partition("#")
    there, mark, fragment = href.partition("#")
    return bool(mark) and there == here and not fragment.startswith(("/", "!/"))


def _series(page: RawPage) -> Mapping[int, str]:
    """Links at the same place of repeated entries whose routes differ in one segment: index → shared route.

    Ids that are words (wiki pages, tags) look like different functions, one by one; as a series they do not.
    """
    nodes = page["nodes"]
    groups: defaultdict[tuple[int, str], dict[int, str]] = defaultdict(dict)
    places: Counter[int] = Counter()
    for index, node in enumerate(nodes):
        href = node.get("href", "")
        if not href or _in_page(page, href):
            continue
        entry = _entry(nodes, index)
        if entry < 0:
            continue
        places[entry] += 1
        place = f"{nodes[entry]['role']} {places[entry]}"
        groups[nodes[entry].get("p", -1), place][index] = route_at(page, href)
    shared: dict[int, str] = {}
    for group in groups.values():
        route = _shared(sorted(set(group.values())))
        if route:
            shared.update(dict.fromkeys(group, route))
    return shared


def _entry(nodes: Sequence[RawNode], index: int) -> int:
    while index >= 0 and "item" not in nodes[index]:
        index = nodes[index].get("p", -1)
    return index


def _shared(routes: Sequence[str]) -> str:
    """The one template of several routes that differ in a single segment, else nothing."""
    rows = [re.split(r"([/?&=])", route) for route in routes]
    if len({len(row) for row in rows}) > 1:
        return ""
    differing = [at for at, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1]
    # The first segment is no data: it tells the parts of an App.
    if len(differing) != 1 or differing[0] < FIRST_DATA:
        return ""
    # Few do where one of them is data by its own look.
    if len(rows) < SERIES and not any(row[differing[0]] == "{}" for row in rows):
        return ""
    row = list(rows[0])
    row[differing[0]] = "{}"
    return "".join(row)

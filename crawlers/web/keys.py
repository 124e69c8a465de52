"""Keys: names for the nodes of a walk that hold on every visit and in every language.

A key is a path of structure: ``main/table#bill_table/row[2]/cell.6/link=/demo/edit/{}``. A step is a role
with the first of what it has: its submitted name (``@``), where it leads or sends (``=``), its stable id
(``#``). Steps that are alike below one container are numbered (``.2``). Entries of a repeated list carry
their place in brackets, which the template leaves out. Displayed text never enters a key.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from crawlers.web.leads import Leads
from crawlers.web.raw import RawNode, RawPage
from crawlers.web.routes import chosen
from crawlers.web.series import series_of
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
    leads = Leads(page)
    series = series_of(page, leads)
    found: list[Key] = []
    seen: Counter[tuple[int, str]] = Counter()
    for index, node in enumerate(nodes):
        container = _container(nodes, node.get("p", -1))
        step = _step(leads, node)
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


def _step(leads: Leads, node: RawNode) -> str:
    role = node["role"]
    if role == "heading":
        return f"heading{node.get('level', '')}"
    mark = _mark(leads, node)
    anchor = "" if mark else stable(node.get("anchor", ""))
    return f"{f'#{anchor}/' if anchor else ''}{role}{mark}"


def _mark(leads: Leads, node: RawNode) -> str:
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
        route = leads.route(sends).partition("#")[0]  # a fragment is never sent
        return f"={route if sends else chosen(route)}~{names}"
    href = node.get("href", "")
    if href and not leads.in_page(href):
        return f"={leads.route(href)}"
    for given in (node.get("id", ""), node.get("aim", "").lstrip("#")):
        if given and node["role"] not in _TEXT_ROLES and stable(given):
            return f"#{stable(given)}"
    return ""

"""Reading the accessibility tree of one program: pipelined, capped, and never at the mercy of one object.

Every call has a time-out; an object that answers nonsense or nothing is left out and the rest is read.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from crawlers.desktop.details import Details, details_of
from crawlers.desktop.facts import Facts, bits, short
from crawlers.desktop.link import ATSPI, ROOT, CallError, Link
from crawlers.desktop.quirks import Quirks
from crawlers.desktop.raw import RawNode
from crawlers.desktop.roles import role_name

MOST_CHILDREN = 400
"""Children read of one object: a spreadsheet claims to have two thousand million."""
MOST_LISTED = 10_000
"""Children that an object may claim to have and still be asked for them, though not all are read."""
MOST_NODES = 8000
DEEPEST = 60
LATE = 8
"""Answers that may fail to come before the program is taken to hang."""
ROWS, COLUMNS = 25, 16
"""Corner of a table that is read when it is too large to be read whole."""


@dataclass
class Tree:
    """What was read of one program."""

    nodes: list[RawNode]
    partial: bool


async def read(link: Link, name: str, quirks: Quirks, roles: dict[str, str]) -> Tree:
    """All objects below the program's windows, parents before children, in the program's own order. ``roles``
    are those of the objects that were read before, by path; they are kept up.

    Raises:
        CallError: the program does not answer at all.
    """
    reader = _Reader(link, name, quirks, roles)
    if quirks.cached:
        await reader.take_cache()
    windows = await reader.children(ROOT)
    await reader.walk(windows)
    await reader.look_closer(windows)
    return Tree(list(_ordered(reader.facts, windows, name)), reader.partial)


class _Reader:
    """One reading under way."""

    def __init__(self, link: Link, name: str, quirks: Quirks, roles: dict[str, str]) -> None:
        self.facts: dict[str, Facts] = {}
        self.partial = False
        self._link = link
        self._name = name
        self._quirks = quirks
        self._roles = roles
        self._late = 0
        self._seen: set[str] = set()
        self._cache: dict[str, Facts] = {}
        self._below: defaultdict[str, list[str]] = defaultdict(list)
        """What the cache says is below an object, in no order."""

    async def take_cache(self) -> None:
        """Everything the program has ready, in one answer; GTK hands it out in no order."""
        try:
            answer = await self._link.call(self._name, "/org/a11y/atspi/cache", ATSPI + "Cache", "GetItems")
        except CallError as error:
            if error.kind == "late":
                raise
            return
        for (_, path), _, (_, above), _, count, interfaces, name, role, description, states in answer[0]:
            self._below[above].append(path)
            self._cache[path] = Facts(
                path=path,
                role=role_name(role),
                name=name,
                description=description,
                states=bits(states),
                interfaces=short(interfaces),
                count=count,
            )

    async def children(self, path: str) -> list[str]:
        """Paths of an object's children.

        Raises:
            CallError: it does not answer.
        """
        answer = await self._link.call(self._name, path, ATSPI + "Accessible", "GetChildren")
        return [child for owner, child in answer[0] if owner == self._name][:MOST_CHILDREN]

    async def walk(self, windows: list[str]) -> None:
        """Facts of everything below the windows, level by level."""
        level = [path for path in windows if path not in self._seen]
        for _ in range(DEEPEST):
            self._seen.update(level)
            found = await asyncio.gather(*(self._visit(path) for path in level))
            below = [child for facts in found if facts for child in facts.children]
            level = [path for path in dict.fromkeys(below) if path not in self._seen]
            if not level or self._late > LATE:
                break
            if len(self._seen) + len(level) > MOST_NODES:
                self.partial = True
                level = level[: MOST_NODES - len(self._seen)]
        self.partial = self.partial or self._late > 0

    async def look_closer(self, windows: list[str]) -> None:
        """Where the drawn ones are, what they hold and what can be done to them."""
        lit = list(_lit(self.facts, windows, self._quirks))
        for facts, details in zip(
            lit,
            await asyncio.gather(
                *(self._try(details_of(self._link, self._name, each.path, each)) for each in lit)
            ),
            strict=True,
        ):
            facts.details = details or Details(broken=True)

    async def _visit(self, path: str) -> Facts | None:
        facts = self._cache.get(path) or await self._try(self._ask(path))
        if facts is None:
            return None
        self.facts[path] = facts
        if facts.count < 0 and "Table" in facts.interfaces:  # a sheet would hand out all of its cells
            facts.count = await self._try(self._counted(path)) or 0
        if facts.count > MOST_LISTED:
            facts.children = await self._corner(facts)
        elif facts.count != 0:
            facts.children = await self._children_of(facts)
        return facts

    async def _children_of(self, facts: Facts) -> list[str]:
        """Those that the object mentions, and those that only the cache knows: GTK 4 has pages of stacks that
        no stack mentions.
        """
        cached = self._below[facts.path]
        if facts.path in self._cache and len(cached) == facts.count == 1:
            return cached  # of one child there is one order only
        own = await self._try(self.children(facts.path)) or []
        return list(dict.fromkeys((*own, *cached)))

    async def _ask(self, path: str) -> Facts:
        """The same facts that the cache would have held; of what is not drawn those that are of use."""
        states, told = await asyncio.gather(self._accessible(path, "GetState"), self._properties(path))
        mask, count = bits(states), int(told["ChildCount"])
        drawn = self._quirks.may_be_drawn(mask)
        role, description, interfaces = await asyncio.gather(
            self._role(path, drawn=drawn),
            self._description(path, told, wanted=drawn),
            self._interfaces(path, wanted=drawn or count > MOST_LISTED),
        )
        return Facts(
            path=path,
            role=role,
            name=str(told["Name"]),
            description=description,
            states=mask,
            interfaces=interfaces,
            count=count,
        )

    async def _role(self, path: str, *, drawn: bool) -> str:
        """A field may turn into one for a password before one's eyes; what is out of sight stays as it is."""
        if drawn or path not in self._roles:
            self._roles[path] = role_name(await self._accessible(path, "GetRole"))
        return self._roles[path]

    async def _counted(self, path: str) -> int:
        """How many children an object has of which the cache does not say."""
        return int(await self._link.get(self._name, path, "Accessible", "ChildCount"))

    async def _accessible(self, path: str, member: str) -> Any:
        answer = await self._link.call(self._name, path, ATSPI + "Accessible", member)
        return answer[0]

    async def _properties(self, path: str) -> Mapping[str, Any]:
        """Name and number of children, and all that comes with them."""
        if self._quirks.gathers:
            return await self._link.get_all(self._name, path, "Accessible")
        asked = ("Name", "ChildCount")
        answers = (self._link.get(self._name, path, "Accessible", each) for each in asked)
        return dict(zip(asked, await asyncio.gather(*answers), strict=True))

    async def _description(self, path: str, told: Mapping[str, Any], *, wanted: bool) -> str:
        if "Description" in told or not wanted:
            return str(told.get("Description", ""))
        return str(await self._link.get(self._name, path, "Accessible", "Description"))

    async def _interfaces(self, path: str, *, wanted: bool) -> frozenset[str]:
        return short(await self._accessible(path, "GetInterfaces")) if wanted else frozenset()

    async def _corner(self, facts: Facts) -> list[str]:
        """The first cells of a table that is too large; of anything else its first children."""
        if "Table" in facts.interfaces:
            cells = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
            asked = (("Table", "GetAccessibleAt", "ii", list(cell)) for cell in cells)
        else:
            asked = (("Accessible", "GetChildAtIndex", "i", [index]) for index in range(ROWS * COLUMNS))
        answers = await asyncio.gather(
            *(
                self._try(self._link.call(self._name, facts.path, ATSPI + interface, member, signature, body))
                for interface, member, signature, body in asked
            )
        )
        return [answer[0][1] for answer in answers if answer and answer[0][0] == self._name]

    async def _try(self, work: Any) -> Any:
        """The result, or None where an object did not answer as it should."""
        try:
            return await work
        except CallError as error:
            self._late += error.kind == "late"
            self.partial = self.partial or error.kind == "late"
            return None
        except (TypeError, ValueError, LookupError, AttributeError):
            return None


def _lit(facts: Mapping[str, Facts], windows: list[str], quirks: Quirks) -> Iterator[Facts]:
    """What may be drawn: SHOWING, or below an open window all that is VISIBLE where that says more."""
    pending = [path for path in windows if path in facts]
    seen: set[str] = set()
    while pending:
        each = facts[pending.pop()]
        if each.path in seen:
            continue
        seen.add(each.path)
        if quirks.may_be_drawn(each.states):
            yield each
        elif not quirks.shows:
            continue
        pending.extend(path for path in each.children if path in facts)


def _ordered(facts: Mapping[str, Facts], windows: list[str], owner: str) -> Iterator[RawNode]:
    places: dict[str, int] = {}
    pending = [(path, -1) for path in reversed(windows)]
    while pending:
        path, parent = pending.pop()
        if path not in facts or path in places:
            continue
        places[path] = len(places)
        each = facts[path]
        pending.extend((child, places[path]) for child in reversed(each.children))
        yield RawNode(
            parent=parent,
            owner=owner,
            path=path,
            role=each.role,
            name=each.name,
            description=each.description,
            states=each.states,
            interfaces=each.interfaces,
            extents=each.details.extents,
            actions=each.details.actions,
            text=each.details.text,
            value=each.details.value,
            limits=each.details.limits,
            columns=each.details.columns,
            labelled_by=each.details.labelled_by,
            kind=each.details.kind,
            broken=each.details.broken,
        )

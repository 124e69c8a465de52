"""Reading the accessibility tree of one program: pipelined, capped, and never at the mercy of one object.

Every call has a time-out; an object that answers nonsense or nothing is left out and the rest is read.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crawlers.desktop.details import Details, details_of
from crawlers.desktop.facts import Facts, Ref, bits, short
from crawlers.desktop.link import ATSPI, ROOT, CallError, Link
from crawlers.desktop.quirks import UNKNOWN, Quirks
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


async def read(link: Link, name: str, quirks: Quirks, roles: dict[Ref, str]) -> Tree:
    """All objects below the program's windows, parents before children, in the program's own order, and what
    other processes show in them. ``roles`` are those of the objects that were read before; they are kept up.

    Raises:
        CallError: the program does not answer at all.
    """
    reader = _Reader(link, name, quirks, roles)
    if quirks.cached:
        await reader.take_cache()
    windows = await reader.children(Ref(name, ROOT))
    await reader.walk(windows)
    await reader.look_closer(windows)
    return Tree(list(_ordered(reader.facts, windows)), reader.partial)


class _Reader:
    """One reading under way."""

    def __init__(self, link: Link, name: str, quirks: Quirks, roles: dict[Ref, str]) -> None:
        self.facts: dict[Ref, Facts] = {}
        self.partial = False
        self._link = link
        self._name = name
        self._quirks = quirks
        self._roles = roles
        self._late = 0
        self._seen: set[Ref] = set()
        self._cache: dict[Ref, Facts] = {}
        self._below: defaultdict[Ref, list[Ref]] = defaultdict(list)
        """What the cache says is below an object, in no order."""

    async def take_cache(self) -> None:
        """Everything the program has ready, in one answer; GTK hands it out in no order."""
        try:
            answer = await self._link.call(self._name, "/org/a11y/atspi/cache", ATSPI + "Cache", "GetItems")
        except CallError as error:
            if error.kind == "late":
                raise
            return
        for own, _, above, _, count, interfaces, name, role, description, states in answer[0]:
            ref = Ref(*own)
            self._below[Ref(*above)].append(ref)
            self._cache[ref] = Facts(
                ref=ref,
                role=role_name(role),
                name=name,
                description=description,
                states=bits(states),
                interfaces=short(interfaces),
                count=count,
            )

    async def children(self, ref: Ref) -> list[Ref]:
        """An object's children.

        Raises:
            CallError: it does not answer.
        """
        return _refs(await self._accessible(ref, "GetChildren"))[:MOST_CHILDREN]

    async def walk(self, windows: list[Ref]) -> None:
        """Facts of everything below the windows, level by level."""
        level = [ref for ref in windows if ref not in self._seen]
        for _ in range(DEEPEST):
            self._seen.update(level)
            found = await asyncio.gather(*(self._visit(ref) for ref in level))
            below = [child for facts in found if facts for child in facts.children]
            level = [ref for ref in dict.fromkeys(below) if ref not in self._seen]
            if not level or self._late > LATE:
                break
            if len(self._seen) + len(level) > MOST_NODES:
                self.partial = True
                level = level[: MOST_NODES - len(self._seen)]
        self.partial = self.partial or self._late > 0

    async def look_closer(self, windows: list[Ref]) -> None:
        """Where the drawn ones are, what they hold and what can be done to them."""
        lit = list(_lit(self.facts, windows, self._quirks))
        for facts, details in zip(
            lit,
            await asyncio.gather(*(self._try(details_of(self._link, *each.ref, each)) for each in lit)),
            strict=True,
        ):
            facts.details = details or Details(broken=True)

    async def _visit(self, ref: Ref) -> Facts | None:
        facts = self._cache.get(ref) or await self._try(self._ask(ref))
        if facts is None:
            return None
        self.facts[ref] = facts
        if facts.count < 0 and "Table" in facts.interfaces:  # a sheet would hand out all of its cells
            facts.count = await self._try(self._counted(ref)) or 0
        if facts.count > MOST_LISTED:
            facts.children = await self._corner(facts)
        elif facts.count != 0:
            facts.children = await self._children_of(facts)
        return facts

    async def _children_of(self, facts: Facts) -> list[Ref]:
        """Those that the object mentions, and those that only the cache knows: GTK 4 has pages of stacks that
        no stack mentions.
        """
        cached = self._below[facts.ref]
        if facts.ref in self._cache and len(cached) == facts.count == 1:
            return cached  # of one child there is one order only
        own = await self._try(self.children(facts.ref)) or []
        if not own and facts.count == 1:
            own = await self._try(self._embedded(facts.ref)) or []
        return list(dict.fromkeys((*own, *cached)))

    async def _embedded(self, ref: Ref) -> list[Ref]:
        """What another process shows in an object: a socket does not list what is plugged into it, but hands
        it out by its number.
        """
        answer = await self._link.call(*ref, ATSPI + "Accessible", "GetChildAtIndex", "i", [0])
        return _refs(answer)

    async def _ask(self, ref: Ref) -> Facts:
        """The same facts that the cache would have held; of what is not drawn those that are of use."""
        states, told = await asyncio.gather(self._accessible(ref, "GetState"), self._properties(ref))
        mask, count = bits(states), int(told["ChildCount"])
        drawn = self._quirks_of(ref).may_be_drawn(mask)
        role, description, interfaces = await asyncio.gather(
            self._role(ref, drawn=drawn),
            self._description(ref, told, wanted=drawn),
            self._interfaces(ref, wanted=drawn or count > MOST_LISTED),
        )
        return Facts(
            ref=ref,
            role=role,
            name=str(told["Name"]),
            description=description,
            states=mask,
            interfaces=interfaces,
            count=count,
        )

    async def _role(self, ref: Ref, *, drawn: bool) -> str:
        """A field may turn into one for a password before one's eyes; what is out of sight stays as it is."""
        if drawn or ref not in self._roles:
            self._roles[ref] = role_name(await self._accessible(ref, "GetRole"))
        return self._roles[ref]

    async def _counted(self, ref: Ref) -> int:
        """How many children an object has of which the cache does not say."""
        return int(await self._link.get(*ref, "Accessible", "ChildCount"))

    async def _accessible(self, ref: Ref, member: str) -> Any:
        answer = await self._link.call(*ref, ATSPI + "Accessible", member)
        return answer[0]

    async def _properties(self, ref: Ref) -> Mapping[str, Any]:
        """Name and number of children, and all that comes with them."""
        if self._quirks_of(ref).gathers:
            return await self._link.get_all(*ref, "Accessible")
        asked = ("Name", "ChildCount")
        answers = (self._link.get(*ref, "Accessible", each) for each in asked)
        return dict(zip(asked, await asyncio.gather(*answers), strict=True))

    async def _description(self, ref: Ref, told: Mapping[str, Any], *, wanted: bool) -> str:
        if "Description" in told or not wanted:
            return str(told.get("Description", ""))
        return str(await self._link.get(*ref, "Accessible", "Description"))

    async def _interfaces(self, ref: Ref, *, wanted: bool) -> frozenset[str]:
        return short(await self._accessible(ref, "GetInterfaces")) if wanted else frozenset()

    async def _corner(self, facts: Facts) -> list[Ref]:
        """The first cells of a table that is too large; of anything else its first children."""
        if "Table" in facts.interfaces:
            cells = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
            asked = (("Table", "GetAccessibleAt", "ii", list(cell)) for cell in cells)
        else:
            asked = (("Accessible", "GetChildAtIndex", "i", [index]) for index in range(ROWS * COLUMNS))
        answers = await asyncio.gather(
            *(
                self._try(self._link.call(*facts.ref, ATSPI + interface, member, signature, body))
                for interface, member, signature, body in asked
            )
        )
        return _refs(answer[0] for answer in answers if answer)

    def _quirks_of(self, ref: Ref) -> Quirks:
        """Those of the program; what another process shows in it says nothing of how it was made."""
        return self._quirks if ref.owner == self._name else UNKNOWN

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


def _refs(told: Iterable[Sequence[str]]) -> list[Ref]:
    """Of pairs of owner and path those that are objects."""
    return [ref for ref in (Ref(*pair) for pair in told) if ref]


def _lit(facts: Mapping[Ref, Facts], windows: list[Ref], quirks: Quirks) -> Iterator[Facts]:
    """What may be drawn: SHOWING, or below an open window all that is VISIBLE where that says more."""
    pending = [ref for ref in windows if ref in facts]
    seen: set[Ref] = set()
    while pending:
        each = facts[pending.pop()]
        if each.ref in seen:
            continue
        seen.add(each.ref)
        if quirks.may_be_drawn(each.states):
            yield each
        elif not quirks.shows:
            continue
        pending.extend(ref for ref in each.children if ref in facts)


def _ordered(facts: Mapping[Ref, Facts], windows: list[Ref]) -> Iterator[RawNode]:
    places: dict[Ref, int] = {}
    pending = [(ref, -1) for ref in reversed(windows)]
    while pending:
        ref, parent = pending.pop()
        if ref not in facts or ref in places:
            continue
        places[ref] = len(places)
        each = facts[ref]
        pending.extend((child, places[ref]) for child in reversed(each.children))
        yield RawNode(
            parent=parent,
            owner=ref.owner,
            path=ref.path,
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

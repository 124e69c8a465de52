"""Reading a tree asks a program for no more than it can answer, over a link that is played."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

from crawlers.desktop.facts import Ref
from crawlers.desktop.link import ROOT, CallError, Link
from crawlers.desktop.quirks import QUIRKS, Quirks
from crawlers.desktop.reader import MOST_CHILDREN, Tree, read
from crawlers.desktop.roles import State as Bit

NAME, GUEST = ":1.7", "org.webkit.WebProcess"
LIT = 1 << Bit.VISIBLE | 1 << Bit.SHOWING
ROLES = {"frame": 23, "table": 55, "table_cell": 56, "menu_item": 35, "menu": 33}
ENDLESS = 2**31 - 1


@dataclass
class Thing:
    """One object of the played program."""

    role: str
    states: int = LIT
    children: tuple[str, ...] = ()
    claims: int | None = None
    """Children it says it has, where that is not true."""
    interfaces: tuple[str, ...] = ("org.a11y.atspi.Accessible",)

    @property
    def count(self) -> int:
        return len(self.children) if self.claims is None else self.claims


@dataclass
class PlayedLink:
    """Answers for a program, and notes what was asked."""

    things: dict[str, Thing]
    name: str = NAME
    cached: tuple[str, ...] = ()
    asked: Counter[str] = field(default_factory=Counter)

    async def call(self, name: str, path: str, _interface: str, member: str, *given: Any) -> list[Any]:
        assert name == self.name
        self.asked[f"{member} {path}"] += 1
        if path == ROOT:
            return [[(self.name, "/window")]]
        return [self._answer(path, member, given)]

    def _answer(self, path: str, member: str, given: tuple[Any, ...]) -> Any:
        thing = self.things.get(path, Thing("frame"))
        answers = {
            "GetItems": lambda: [self._item(path) for path in self.cached],
            "GetChildren": lambda: [(self.name, child) for child in thing.children],
            "GetRole": lambda: ROLES[thing.role],
            "GetState": lambda: [thing.states, 0],
            "GetInterfaces": lambda: list(thing.interfaces),
            "GetAccessibleAt": lambda: (self.name, thing.children[0] if given[1] == [0, 0] else "/gone"),
        }
        if member not in answers or path == "/gone":
            raise CallError("refused", member)
        assert (member, thing.count) != ("GetChildren", ENDLESS), "the program would never come back"
        return answers[member]()

    async def get(self, _name: str, path: str, _interface: str, property_: str) -> Any:
        self.asked[f"{property_} {path}"] += 1
        return {"ChildCount": self.things[path].count, "Name": path, "Description": "", "NColumns": 3}[
            property_
        ]

    async def get_all(self, _name: str, path: str, _interface: str) -> dict[str, Any]:
        self.asked[f"GetAll {path}"] += 1
        return {"ChildCount": self.things[path].count, "Name": path, "Description": ""}

    def _item(self, path: str) -> tuple[Any, ...]:
        thing = self.things[path]
        above = next((at for at, other in self.things.items() if path in other.children), "/")
        endless = thing.count == ENDLESS
        return (
            *((NAME, path), (NAME, ROOT), (NAME, above), 0, -1 if endless else thing.count),
            *(list(thing.interfaces), path, ROLES[thing.role], "", [thing.states, 0]),
        )


def dump(link: PlayedLink, quirks: Quirks, roles: dict[Ref, str] | None = None) -> Tree:
    return asyncio.run(read(cast("Link", link), NAME, quirks, {} if roles is None else roles))


def paths(tree: Tree) -> list[str]:
    return [node.path for node in tree.nodes]


def sheet(cells: int, claims: int | None) -> dict[str, Thing]:
    names = tuple(f"/cell/{at}" for at in range(cells))
    table = ("org.a11y.atspi.Accessible", "org.a11y.atspi.Table")
    return {
        "/window": Thing("frame", children=("/sheet",)),
        "/sheet": Thing("table", children=names, claims=claims, interfaces=table),
        **{name: Thing("table_cell") for name in names},
    }


def test_a_sheet_without_end_is_never_asked_for_all_of_its_cells() -> None:
    """Be it cached, where it says that it does not know how many it has, or not."""
    things = sheet(1, ENDLESS)
    for cached in ((), ("/window", "/sheet")):
        tree = dump(PlayedLink(things, cached=cached), QUIRKS["gtk3"])
        assert paths(tree) == ["/window", "/sheet", "/cell/0"]


def test_of_a_long_table_the_first_are_read() -> None:
    link = PlayedLink(sheet(MOST_CHILDREN + 50, None))
    assert len(dump(link, QUIRKS["gtk3"]).nodes) == MOST_CHILDREN + 2
    assert not any(asked.startswith("GetAccessibleAt") for asked in link.asked)


def test_what_is_out_of_sight_is_asked_for_its_role_once() -> None:
    things = {
        "/window": Thing("frame", children=("/item",)),
        "/item": Thing("menu_item", states=0),
    }
    link, roles = PlayedLink(things), dict[Ref, str]()
    first, second = (dump(link, QUIRKS["qt5"], roles) for _ in range(2))
    assert first.nodes == second.nodes
    assert [node.role for node in first.nodes] == ["frame", "menu_item"]
    assert (link.asked["GetRole /window"], link.asked["GetRole /item"]) == (2, 1)
    assert link.asked["GetInterfaces /item"] == 0
    assert not any(asked.startswith(("GetAll", "GetItems")) for asked in link.asked)


def test_gtk_hands_out_properties_at_once() -> None:
    link = PlayedLink({"/window": Thing("frame")})
    dump(link, QUIRKS["gtk4"])
    assert link.asked["GetAll /window"] == 1
    assert link.asked["Name /window"] == 0


def test_what_the_cache_alone_knows_comes_last() -> None:
    things = {
        "/window": Thing("frame", children=("/b", "/a")),
        "/a": Thing("menu"),
        "/b": Thing("menu"),
        "/page": Thing("menu", states=0),
    }

    class Forgetful(PlayedLink):
        """One whose window does not mention a page that the cache has."""

        def _item(self, path: str) -> tuple[Any, ...]:
            item = super()._item(path)
            return (*item[:2], (NAME, "/window"), *item[3:]) if path == "/page" else item

    tree = dump(Forgetful(things, cached=("/page", "/a", "/window", "/b")), QUIRKS["gtk4"])
    assert paths(tree) == ["/window", "/b", "/a", "/page"]


class Plugged(PlayedLink):
    """A program whose window holds a socket, and on the same bus the process that is plugged into it."""

    def __init__(self, guest: PlayedLink) -> None:
        socket = {"/window": Thing("frame", children=("/socket",)), "/socket": Thing("menu", claims=1)}
        super().__init__(socket)
        self.guest = guest

    async def call(self, name: str, path: str, interface: str, member: str, *given: Any) -> list[Any]:
        if (name, path, member) == (NAME, "/socket", "GetChildAtIndex"):
            return [(GUEST, "/window")]
        if name == GUEST:
            return await self.guest.call(name, path, interface, member, *given)
        return await super().call(name, path, interface, member, *given)

    async def get(self, name: str, path: str, interface: str, property_: str) -> Any:
        if name == GUEST:
            return await self.guest.get(name, path, interface, property_)
        return await super().get(name, path, interface, property_)

    async def get_all(self, name: str, path: str, interface: str) -> dict[str, Any]:
        assert name == NAME, "nothing is known of the other process, so nothing is risked"
        return await super().get_all(name, path, interface)


def test_what_another_process_shows_in_a_socket_is_read_from_it() -> None:
    """A socket says that it holds one object and lists none; paths of two processes may be the same."""
    things = {"/window": Thing("menu", children=("/item",)), "/item": Thing("menu_item")}
    tree = dump(Plugged(PlayedLink(things, GUEST)), QUIRKS["gtk3"])
    assert [(node.owner, node.path, node.parent) for node in tree.nodes] == [
        (NAME, "/window", -1),
        (NAME, "/socket", 0),
        (GUEST, "/window", 1),
        (GUEST, "/item", 2),
    ]


def test_of_a_sheet_without_end_in_a_socket_the_corner_is_read_from_its_process() -> None:
    tree = dump(Plugged(PlayedLink(sheet(1, ENDLESS), GUEST)), QUIRKS["gtk3"])
    assert [(node.owner, node.path) for node in tree.nodes][2:] == [
        (GUEST, "/window"),
        (GUEST, "/sheet"),
        (GUEST, "/cell/0"),
    ]


def test_what_is_no_object_is_no_child() -> None:
    class Empty(PlayedLink):
        """One whose socket holds nothing."""

        async def call(self, name: str, path: str, interface: str, member: str, *given: Any) -> list[Any]:
            if member == "GetChildAtIndex":
                return [("", "/org/a11y/atspi/null")]
            return await super().call(name, path, interface, member, *given)

    things = {"/window": Thing("frame", children=("/socket",)), "/socket": Thing("menu", claims=1)}
    link = Empty(things)
    assert paths(dump(link, QUIRKS["gtk3"])) == ["/window", "/socket"]
    assert not any("null" in asked for asked in link.asked)

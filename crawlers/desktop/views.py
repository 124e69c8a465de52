"""Views: what each program of a session shows, read from the one accessibility bus that they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from crawlers.desktop import reader
from crawlers.desktop.facts import Ref
from crawlers.desktop.link import ROOT, CallError, Link
from crawlers.desktop.quirks import quirks_of
from crawlers.desktop.raw import RawNode, RawScreen, RawWindow
from crawlers.desktop.screen import Screen
from crawlers.processes import Service

Told = tuple[str, str, int, reader.Tree]
"""Toolkit, its version, the process, and the tree of one name on the bus."""


@dataclass
class Views:
    """Reads the programs, each named and with the processes that it runs as."""

    link: Link
    screen: Screen
    home: Path
    programs: Mapping[str, Service]
    _pids: dict[str, int] = field(default_factory=dict)
    _owners: dict[str, str] = field(default_factory=dict)
    _roles: defaultdict[str, dict[Ref, str]] = field(default_factory=lambda: defaultdict(dict))
    """By name on the bus."""

    async def read(self) -> tuple[RawScreen, ...]:
        """One screen for each program, in their order; empty for one that shows nothing.

        Raises:
            CallError: a program does not answer.
        """
        told: dict[str, list[Told]] = {program: [] for program in self.programs}
        for name in await self.link.programs():
            try:
                told[await self._owner(name)].append(await self._ask(name))
            except CallError as error:
                if error.kind != "gone":  # the registry may still list a program that is gone
                    raise
        windows = self.screen.windows()
        return tuple(self._view(program, answers, windows) for program, answers in told.items())

    async def _ask(self, name: str) -> Told:
        toolkit = str(await self.link.get(name, ROOT, "Application", "ToolkitName"))
        version = str(await self.link.get(name, ROOT, "Application", "Version"))
        tree = await reader.read(self.link, name, quirks_of(toolkit, version), self._roles[name])
        return toolkit, version, self._pids.get(name, 0), tree

    async def _owner(self, name: str) -> str:
        """Which program it is; the first one where no other has started it."""
        first, *others = self.programs
        if others and name not in self._owners:
            pid = self._pids[name] = await self.link.pid(name)
            started = (program for program in others if pid in self.programs[program].pids)
            self._owners[name] = next(started, first)
        return self._owners.get(name, first)

    def _view(self, program: str, told: Sequence[Told], windows: tuple[RawWindow, ...]) -> RawScreen:
        toolkit, version = told[0][:2] if told else ("", "")
        nodes: list[RawNode] = []
        for *_, tree in told:
            nodes += [self._at_home(node) for node in _moved(tree.nodes, len(nodes))]
        several = len(self.programs) > 1
        return RawScreen(
            program=program if several else "",
            pids=frozenset(pid for _, _, pid, _ in told if several),
            toolkit=toolkit,
            version=version,
            nodes=tuple(nodes),
            windows=windows,
            width=self.screen.width,
            height=self.screen.height,
            partial=any(tree.partial for *_, tree in told),
        )

    def _at_home(self, node: RawNode) -> RawNode:
        """The node without the path of the home folder, which is another one on every machine."""
        home = str(self.home)
        told = {"name": node.name, "description": node.description, "text": node.text or ""}
        changed = {part: said.replace(home, "~") for part, said in told.items() if home in said}
        return node.model_copy(update=changed) if changed else node


def _moved(nodes: list[RawNode], by: int) -> list[RawNode]:
    """Nodes that now stand behind so many others."""
    if not by:
        return nodes
    return [
        node if node.parent < 0 else node.model_copy(update={"parent": node.parent + by}) for node in nodes
    ]

"""Explore: the one crawl loop. It knows Hosts, Drivers and States and no platform."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from pydantic import Field

from crawlers.chart import Node
from crawlers.driver import DriverError, ImageSink
from crawlers.frontier import Frontier
from crawlers.host import Host
from crawlers.offer import Offer, armed
from crawlers.scrolls import further
from crawlers.sendings import valid_again
from crawlers.walker import OutOfBudget, Walker
from schemas.action import target_of
from schemas.effect import EffectClass
from schemas.graph import Coverage, FunctionGraph
from schemas.record import Record

Progress = Callable[[int, int], None]
"""Told after every try: actions performed, States seen."""


class Budget(Record):
    """What one exploration may cost, and how far it goes into more of the same."""

    actions: int = Field(default=250, ge=0)
    """Actions performed, walks back to a frontier included."""
    seconds: float = Field(default=3600.0, gt=0)
    """Wall time; reaching it makes the result depend on the machine."""
    per_structure: int = Field(default=8, ge=1)
    """States of one structure whose Actions are taken up."""
    per_template: int = Field(default=2, ge=1)
    """Items of a repeated template whose Actions are taken up."""
    writes: int = Field(default=2, ge=0)
    """Writes behind which Actions are still taken up."""
    restarts: int = Field(default=3, ge=0)
    """Times that a dead App is started anew."""


def explore(
    host: Host, *, budget: Budget, seed: int, images: ImageSink, progress: Progress | None = None
) -> FunctionGraph:
    """Observe what the App can do, from its entry, until the budget or the frontier is used up.

    Raises:
        HostError: when the App died more often than ``budget.restarts`` allows.
    """
    began = time.monotonic()
    walker = Walker(host, images, actions=budget.actions, seconds=budget.seconds, restarts=budget.restarts)
    frontier = Frontier(host.app, seed=seed, per_template=budget.per_template)
    crawl = _Crawl(walker, frontier, budget, seed)
    try:
        crawl.take_up()
        while crawl.step():
            if progress is not None:
                progress(walker.spent.actions, len(walker.chart.nodes))
    except OutOfBudget:
        pass
    finally:
        walker.close()
    return crawl.graph(host, time.monotonic() - began)


class _Crawl:
    """One exploration under way."""

    def __init__(self, walker: Walker, frontier: Frontier, budget: Budget, seed: int) -> None:
        self._walker = walker
        self._frontier = frontier
        self._budget = budget
        self._seed = seed
        self._taken_up = 0
        self._structures: dict[str, int] = {}
        self._depths: dict[str, int] = {}
        """Steps from the root to each State, by the nearest State known to offer what led there."""

    def take_up(self, offered: str = "") -> None:
        """Hand the Actions of States that were charted since to the frontier; ``offered`` is the State whose
        offer was tried, be it on another.
        """
        nodes = list(self._walker.chart.nodes.values())
        for node in nodes[self._taken_up :]:
            before = (offered, node.parent[0] if node.parent else "")
            near = [self._depths[each] for each in before if each in self._depths]
            self._depths[node.state.id] = min(near) + 1 if near else 0
            seen = self._structures.get(node.state.structure, 0)
            self._structures[node.state.structure] = seen + 1
            writes = sum(mark.data for mark in node.world)
            if seen < self._budget.per_structure and writes <= self._budget.writes:
                self._add(node)
        self._taken_up = len(nodes)

    def _add(self, node: Node) -> None:
        depth, behind = self._depths[node.state.id], sum(mark.sure for mark in node.world)
        if node.parent is None or node.openable:
            self._frontier.add(node.state, depth=depth, behind=behind)
            return
        source, action, _ = node.parent
        within, opener = self._walker.chart.nodes[source].state, target_of(action)
        self._frontier.add(
            node.state,
            depth=depth,
            behind=behind,
            within=within,
            opener=opener.key if opener else "",
        )

    def step(self) -> bool:
        """Try one offer; whether there was one."""
        offer = self._frontier.take(self._walker.movement)
        if offer is None:
            return False
        try:
            there = self._walker.reach(offer)
            if there is None:
                self._frontier.refuse(offer, "unreachable")
            else:
                self._try(replace(offer, state=there))
        except OutOfBudget:
            self._frontier.push(offer)
            raise
        except DriverError as error:
            self._frontier.note(offer, self._walker.state.structure)
            self._frontier.refuse(offer, error.kind)
        self.take_up(offer.state)
        return True

    def graph(self, host: Host, wall_s: float) -> FunctionGraph:
        """Everything observed."""
        chart, spent = self._walker.chart, self._walker.spent
        states = tuple(node.state for node in chart.nodes.values())
        return FunctionGraph(
            app=host.app.name,
            app_id=host.app.id,
            lang=host.lang,
            root=states[0].id,
            states=states,
            transitions=tuple(chart.transitions.values()),
            untried=self._frontier.rest(),
            coverage=Coverage(
                states=len(states),
                structures=len({state.structure for state in states}),
                transitions=len(chart.transitions),
                actions=spent.actions,
                **self._frontier.counts(),
                resets=spent.resets,
                page_loads=spent.page_loads,
                sessions_lost=spent.sessions_lost,
                routes=tuple(sorted(spent.routes)),
                wall_s=wall_s,
            ),
        )

    def _try(self, offer: Offer) -> None:
        before = self._walker.chart.nodes[offer.state].state
        effect = self._walker.perform(offer.action, offer.risk)
        after = self._walker.state
        self._frontier.note(offer, after.structure)
        again = armed(before, after, offer, effect) or further(offer, after, effect)
        if again is None and effect.main is EffectClass.INVALID:
            again = valid_again(before, offer, self._frontier.app, self._seed)
        if again is not None:
            self._frontier.push(again)

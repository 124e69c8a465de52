"""The walker: one live session that moves about the chart and knows what it left behind.

Staying is cheapest, then opening an address, then repeating the steps to a screen that has none. Once
something was written, the pristine world is only reached again by restoring the App.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from crawlers.chart import Chart, Mark, Node, World, step
from crawlers.driver import Driver, DriverError, ImageSink
from crawlers.effects import asks_password, read
from crawlers.frontier import Movement
from crawlers.host import Host, HostError
from crawlers.offer import Offer, offered_by, stands_for
from crawlers.picture import pictured
from crawlers.shortcut import is_soft, opener, shortcut
from crawlers.spent import Spent
from schemas.action import Action, Click, Open, Respond, Target
from schemas.effect import Effect, EffectClass, Evidence, Outcome
from schemas.graph import Risk, Transition
from schemas.screen import Element, State

SESSIONS = 2
"""Sessions in which a State is looked for."""


class OutOfBudget(Exception):  # noqa: N818 - the planned end of a crawl
    """No further Action may be performed."""


class SessionLost(Exception):  # noqa: N818 - it is news, not a fault
    """A screen that needs a session asks for a password instead."""


class Walker:
    """Performs Actions, keeps the chart and the counts."""

    def __init__(self, host: Host, images: ImageSink, *, actions: int, seconds: float, restarts: int) -> None:
        """At the root of the restored App, with so many actions and seconds to spend.

        Raises:
            HostError: when the App cannot be brought to its entry.
        """
        self.chart = Chart()
        self.world: World = ()
        self.spent = Spent()
        self._host = host
        self._images = images
        self._most = actions
        self._deadline = time.monotonic() + seconds
        self._restarts = restarts
        self._dirty = True
        self._remembers = True
        """Whether the App may keep on its server what a session did, where no request tells of it (the pages
        that were seen last, say), so that only restoring it takes that back."""
        self._soft = False
        """Whether links were seen to lead on without loading a page."""
        self._driver: Driver | None = None
        self._refresh()
        self.chart.root(self._pictured(self.state))

    state: State
    """The present screen."""

    def movement(self, offer: Offer) -> Movement:
        """How the offer's State would be reached from here."""
        node = self.chart.nodes[offer.state]
        if node.world != self.world:
            return "reset" if self._dirty else "renew"
        if node.state.id == self.state.id or self._offers_here(offer):
            return "stay"
        if self._link_to(node) or opener(self.chart, offer, self._here):
            return "follow"
        return "open" if node.openable else "walk"

    def reach(self, offer: Offer) -> str | None:
        """Go to a State of the chart, in the world it was seen in, on which an offer can be tried: stay where
        that is so here, else go to the offer's own, or to one that will do as well and comes up on the
        way. The id of where that ended, None when it failed.

        Raises:
            DriverError: when a step on the way could not be done.
            OutOfBudget: when the way would cost more than is left.
        """
        if self._offers_here(offer):
            return self.state.id
        opening = opener(self.chart, offer, self._here)
        if opening is not None:
            self.perform(*opening)
            if self._offers_here(offer):
                return self.state.id
        node = self.chart.nodes[offer.state]
        will_do = partial(offered_by, action=offer.action)
        for _ in range(SESSIONS):
            try:
                there = self._enter(node) and self._stand_on(node, node.world, will_do)
            except SessionLost:
                self.spent.sessions_lost += 1
                self._refresh()
            else:
                return self.state.id if there else None
        return None

    def perform(self, action: Action, risk: Risk = Risk.NONE) -> Effect:
        """Do one Action here and chart it.

        Raises:
            DriverError: when it could not be done; the walker has then found its feet again.
            OutOfBudget: when nothing is left to spend.
        """
        self._spend()
        before = self.state
        try:
            evidence = self._session.perform(action)
            after = self._session.observe()
        except DriverError as error:
            self._recover(before, action, risk, error)
            raise
        return self._arrive(before, action, risk, after, evidence)

    def close(self) -> None:
        """End the session."""
        if self._driver is not None:
            self._driver.close()
            self._driver = None

    @property
    def _here(self) -> Node | None:
        """Where the chart has the present State, in the present world."""
        node = self.chart.nodes.get(self.state.id)
        return node if node is not None and node.world == self.world else None

    @property
    def _session(self) -> Driver:
        if self._driver is None:
            raise DriverError("crashed", "There is no session.")
        return self._driver

    def _spend(self) -> None:
        """One more Action."""
        if self.spent.actions >= self._most or time.monotonic() > self._deadline:
            raise OutOfBudget
        self.spent.actions += 1

    def _arrive(self, before: State, action: Action, risk: Risk, after: State, evidence: Evidence) -> Effect:
        self.spent.take_in(evidence)
        if before.id in self.chart.nodes and not isinstance(action, Open):
            after = self._pictured(after)
        effect = read(before, action, after, evidence)
        self._soft = self._soft or is_soft(before, action, after, evidence)
        mark = self._chart(step(before, action, after, effect, risk), after)
        if mark is not None:
            self.world = (*self.world, mark)
            self._dirty = self._dirty or mark.server
        self.state = after
        return effect

    def _chart(self, transition: Transition, after: State) -> Mark | None:
        clean = not any(mark.data for mark in self.world)
        return self.chart.record(transition.model_copy(update={"clean": clean}), after, self.world)

    def _pictured(self, state: State) -> State:
        """The State with its picture; a State that is on the chart already has one there."""
        if state.id in self.chart.nodes:
            return state
        return pictured(self._session, state, self._images)

    def _enter(self, node: Node) -> bool:
        """Make the marks of a screen's world on the pristine one, as far as they are not made yet."""
        world, made = node.world, len(self.world)
        if self.world != world[:made]:
            self._refresh(self.chart.nodes[world[0].source] if world else node)
            made = 0
        for place in range(made, len(world)):
            mark = world[place]
            if not self._stand_on(self.chart.nodes[mark.source], world[:place]):
                return False
            self.perform(mark.action, mark.risk)
            if self.world != world[: place + 1]:
                return False
        self.world = world
        return True

    def _stand_on(self, node: Node, world: World, will_do: Callable[[State], bool] | None = None) -> bool:
        """Go to a screen without leaving the world; with ``will_do``, one like it is good enough."""
        if self.state.id != node.state.id and self.state.dialog is not None:
            self.perform(Respond(accept=False))
        link = self._link_to(node)
        if self.state.id != node.state.id and link is not None:
            self.perform(Click(target=Target.of(link)))
        if self.state.id != node.state.id and node.openable:
            self.perform(Open(address=node.state.address))
            if asks_password(self.state) and not asks_password(node.state):
                raise SessionLost
            node.openable = self.state.id == node.state.id or world != node.world
        if self.state.id != node.state.id and not self._like(will_do, world):
            self._repeat(node, world)
        there = self.state.id == node.state.id or self._like(will_do, world)
        return there and self.world == world

    def _link_to(self, node: Node) -> Element | None:
        """A link that leads from here to a screen's address without loading a page."""
        return shortcut(self.state, node.state.address) if self._soft and node.openable else None

    def _offers_here(self, offer: Offer) -> bool:
        """Whether trying it on the present State is the same try."""
        node = self.chart.nodes[offer.state]
        in_place = self._here is not None and node.world == self.world
        return in_place and stands_for(self.state, node.state, offer)

    def _like(self, will_do: Callable[[State], bool] | None, world: World) -> bool:
        """Whether a path leads to the present State in this world, and it will do."""
        here = self._here is not None and self.world == world
        return here and will_do is not None and will_do(self.state)

    def _repeat(self, node: Node, world: World) -> None:
        """Repeat the step that led to a screen; after a write, the write itself."""
        if node.parent is None:
            if not world:
                self._refresh()
            return
        source, action, risk = node.parent
        if world and (world[-1].source, world[-1].action) == (source, action):
            self._refresh()
            self._enter(node)
        elif self._stand_on(self.chart.nodes[source], world):
            self.perform(action, risk)

    def _refresh(self, on: Node | None = None) -> None:
        """A fresh session in the pristine world, at the root, or on another screen if its address brings that
        up; the App is restored if it must be, be it because it remembers what an earlier session did.
        """
        node = on if on is not None and on.parent is not None and on.openable else None
        while True:
            restored = self._dirty
            try:
                self._begin(node.state.address if node else "")
            except (HostError, DriverError) as error:
                self._restart(error)
                node = None
                continue
            self.world = ()
            self.spent.page_loads += 1
            if self._as_before(node):
                return
            if restored:
                # A root that is another one each time is no memory; nor is an address that leads elsewhere.
                self._remembers = node is not None
                return
            self._dirty = True

    def _begin(self, address: str) -> None:
        """A fresh session at the root, or at an address, of the App as it is or as it must be restored."""
        self.close()
        if self._dirty:
            self._host.restore()
            self.spent.resets += 1
        self._dirty = False
        self._driver = self._host.driver()
        if address:
            self._spend()
            self._driver.perform(Open(address=address))
        self.state = self._driver.observe()

    def _as_before(self, node: Node | None) -> bool:
        """Whether a fresh session shows what the first one did, as far as that is worth knowing."""
        first = node or next(iter(self.chart.nodes.values()), None)
        return first is None or not self._remembers or self.state.id == first.state.id

    def _recover(self, before: State, action: Action, risk: Risk, error: DriverError) -> None:
        """After an Action that failed: chart it, and look where we are."""
        if error.kind != "crashed":
            try:
                self.state = self._session.observe()
            except DriverError as second:
                error = second
            else:
                outcome = Outcome.TIMEOUT if error.kind == "timeout" else Outcome.BLOCKED
                effect = Effect(classes=(EffectClass.NONE,), outcome=outcome)
                if error.kind != "target_missing":
                    self._chart(step(before, action, before, effect, risk), before)
                return
        self._restart(error)
        self._refresh()

    def _restart(self, error: Exception) -> None:
        """Start a dead App anew, as often as is allowed."""
        if self._restarts <= 0:
            raise HostError(
                f"{self._host.app.title} died again and again; its last words: {error}"
            ) from error
        self._restarts -= 1
        self.close()
        self._host.stop()
        self._host.start()
        self._dirty = True

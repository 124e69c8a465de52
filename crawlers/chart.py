"""The chart: what a crawl has seen so far, and how each State was reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.action import Action, Open, action_id
from schemas.effect import Effect, EffectClass, Outcome
from schemas.graph import Risk, Transition
from schemas.record import digest
from schemas.screen import Element, State


@dataclass(frozen=True)
class Mark:
    """A step that left something behind it: data on the server or on disk, data in the session, or a
    session that is no longer what a fresh one would be.
    """

    source: str
    action: Action
    risk: Risk
    server: bool
    """Whether the App must be restored to take it back; a fresh session is enough otherwise."""
    data: bool
    """Whether it was a write; False for a login, a logout or a cookie."""
    sure: bool = True
    """Whether anything is known to be left; many a link is only answered from another address."""


World = tuple[Mark, ...]
"""The marks made since the pristine state; empty in the pristine world."""


@dataclass
class Node:
    """A State, the world it was first seen in, and the step that led there."""

    state: State
    world: World
    parent: tuple[str, Action, Risk] | None
    """Source State, Action and its risk; None for the root."""
    openable: bool
    """Whether opening its address is believed to bring it back."""


@dataclass
class Chart:
    """Nodes in the order in which they were seen, transitions in the order in which they were made."""

    nodes: dict[str, Node] = field(default_factory=dict)
    transitions: dict[str, Transition] = field(default_factory=dict)
    _elements: dict[Element, Element] = field(default_factory=dict)
    """Each that was ever seen, once: screens of one App have a third of theirs in common."""

    def root(self, state: State) -> None:
        """Begin."""
        self.nodes[state.id] = Node(self._shared(state), (), None, openable=True)

    def record(self, transition: Transition, after: State, world: World) -> Mark | None:
        """Take in what was performed in a world and the State it ended in; the mark it left, if any.

        A step from a State that is not on the chart (an address was opened and showed something else) is
        left out, as no path leads to it; so is opening an address, which no user does.
        """
        mark = _mark(transition)
        source, action = transition.source, transition.action
        if source not in self.nodes or isinstance(action, Open):
            return mark
        if after.id not in self.nodes:
            self.nodes[after.id] = Node(
                state=self._shared(after),
                world=(*world, mark) if mark else world,
                parent=(source, action, transition.risk),
                openable=_openable(after, transition.effect),
            )
        self.transitions.setdefault(transition.id, transition)
        return mark

    def _shared(self, state: State) -> State:
        elements = tuple(self._elements.setdefault(each, each) for each in state.elements)
        return state.model_copy(update={"elements": elements})


def step(source: State, action: Action, target: State, effect: Effect, risk: Risk) -> Transition:
    """The Transition of one performed Action, taken to be clean."""
    return Transition(
        id=digest("ed", source.id, action_id(action), target.id),
        source=source.id,
        action=action,
        target=target.id,
        effect=effect,
        risk=risk,
    )


def _openable(after: State, effect: Effect) -> bool:
    """Whether an address was loaded that a GET brings back; what answers a POST is not, and a window that
    only some control opens has no address that begins with a slash.
    """
    if effect.outcome not in {Outcome.NAVIGATED, Outcome.NEW_WINDOW} or after.dialog is not None:
        return False
    if not after.address.startswith("/"):
        return False
    loaded = [request.method for request in effect.evidence.requests if request.document]
    return not loaded or loaded[-1] == "GET"


def _mark(transition: Transition) -> Mark | None:
    effect, evidence = transition.effect, transition.effect.evidence
    redirected = any(300 <= request.status < 400 for request in evidence.requests)
    areas = {write.area for write in evidence.storage}
    # A GET that answers a destructive word with a redirect has probably done it.
    destroyed = EffectClass.DELETE in effect.classes or (transition.risk is Risk.IRREVERSIBLE and redirected)
    # Files and settings outlive the session that wrote them, unlike what a browser keeps.
    server = bool(effect.writes) or destroyed or bool(areas & {"file", "setting"})
    data = server or bool(areas - {"cookie", "clipboard"})
    # So do links that log in, join, leave or choose a language, only to the session; so does what a script
    # remembers in a cookie, mostly what is shown and what is folded away.
    known = {EffectClass.LOGIN, EffectClass.LOGOUT} & set(effect.classes)
    sure = data or bool(known) or "cookie" in areas
    if not sure and not redirected:
        return None
    return Mark(transition.source, transition.action, transition.risk, server=server, data=data, sure=sure)

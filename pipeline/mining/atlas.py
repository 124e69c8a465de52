"""The Atlas is a FunctionGraph prepared for mining: who leads where without changing any data."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from crawlers.chart import step
from crawlers.forms import expand
from pipeline.mining.entities import in_frame
from pipeline.mining.signature import FAILED, SESSION, Sight, signature_of, writes_of
from schemas.action import Action, Click, Submit, Target, target_of
from schemas.effect import EffectClass, Outcome
from schemas.graph import FunctionGraph, Transition
from schemas.screen import State

_DETOURS = frozenset({"open", "back", "wait", "finish", "scroll"})
"""Actions that no user path is made of; ``Open`` is the explorer's short cut."""
_BROKEN = FAILED - {Outcome.DIALOG}

Walk = tuple[Transition, ...]


class Atlas:
    """States by id, ends of capabilities, and the shortest walks from the root that write nothing."""

    def __init__(self, graph: FunctionGraph) -> None:
        """Index the graph; nothing is searched until asked for."""
        self.graph = graph
        self.states = dict(graph.by_id())
        self.root = self.states[graph.root]
        self._openers: dict[str, Transition] = {}
        for transition in graph.transitions:
            if transition.source != transition.target and target_of(transition.action) is not None:
                self._openers.setdefault(transition.target, transition)

    @cached_property
    def sights(self) -> tuple[Sight, ...]:
        """Every Transition that ended in an effect, in the order of exploration."""
        return tuple(self._sights())

    def control(self, transition: Transition) -> Target | None:
        """What was pressed; for the answer to a dialog, what had brought the dialog up."""
        found = target_of(transition.action)
        if found is None and isinstance(transition.action, Submit) and transition.action.fields:
            return transition.action.fields[-1].action.target
        if found is None and transition.source in self._openers:
            return target_of(self._openers[transition.source].action)
        return found

    def way(self, sight: Sight) -> Walk | None:
        """The shortest walk to a screen on which the sight's last action can be done: its own source or
        any other that shows the same controls. None where every way there writes.
        """
        own = self._clean.get(sight.source.id)
        others = (
            self._clean[state.id]
            for state in self.graph.states
            if state.id in self._clean and _offers(state, sight)
        )
        best = min(others, key=_length, default=None)
        if own is None or (best is not None and _length(best) < _length(own)):
            own = best
        return own if own is not None else self._loose.get(sight.source.id)

    def start(self, walk: Walk) -> State:
        """The screen at the end of a walk."""
        return self.states[walk[-1].target] if walk else self.root

    @cached_property
    def _clean(self) -> dict[str, Walk]:
        return self._walks(transition for transition in self.graph.transitions if transition.clean)

    @cached_property
    def _loose(self) -> dict[str, Walk]:
        return self._walks(self.graph.transitions)

    def _walks(self, transitions: Iterable[Transition]) -> dict[str, Walk]:
        """Shortest write-free walks by number of primitive steps; ties go to the earlier Transition. A link
        is followed from wherever it stands: it was tried on the first screen that had it at hand.
        """
        harmless = [transition for transition in transitions if _harmless(transition)]
        outgoing: dict[str, list[Transition]] = {}
        for transition in (*harmless, *self._elsewhere(harmless)):
            outgoing.setdefault(transition.source, []).append(transition)
        found: dict[str, Walk] = {}
        ticket = 0
        queue: list[tuple[int, int, str, Walk]] = [(0, ticket, self.root.id, ())]
        while queue:
            length, _, here, walk = heapq.heappop(queue)
            if here in found:
                continue
            found[here] = walk
            for transition in outgoing.get(here, ()):
                if transition.target not in found:
                    ticket += 1
                    steps = len(expand(transition.action))
                    heapq.heappush(queue, (length + steps, ticket, transition.target, (*walk, transition)))
        return found

    def _elsewhere(self, transitions: Iterable[Transition]) -> Iterator[Transition]:
        """Following each link from every other screen that shows it."""
        shown = {state.id: {each.key: each for each in state.elements} for state in self.graph.states}
        for transition in transitions:
            source, target = self.states[transition.source], self.states[transition.target]
            link = _followed(self.states, transition)
            if link is None:
                continue
            for state in self.graph.states:
                there = shown[state.id].get(link)
                other = state.id not in {source.id, target.id}
                if there is not None and other and _same(source, state, link):
                    action = Click(target=Target.of(there))
                    yield step(state, action, target, transition.effect, transition.risk)

    def _sights(self) -> Iterator[Sight]:
        for transition in self.graph.transitions:
            source, target = self.states.get(transition.source), self.states.get(transition.target)
            if source is None or target is None:
                continue
            control = self.control(transition)
            signature = signature_of(transition, source, target, self.root, control)
            if signature is not None:
                yield Sight(transition, source, target, signature)


def _offers(state: State, sight: Sight) -> bool:
    """Whether another screen has every control that the sight's last action used, called the same, of
    the same item and form; where the address names one thing, it must be about the same thing.
    """
    source, targets = sight.source, _touched(sight.transition.action)
    if "{" in source.route and _path(state) != _path(source):
        return False
    return bool(targets) and all(_same(source, state, target.key) for target in targets)


def _touched(action: Action) -> list[Target]:
    """Every element that an action uses; none for an answer to the screen as a whole."""
    fields = action.fields if isinstance(action, Submit) else ()
    pressed = target_of(action)
    return [*(field.action.target for field in fields), *([pressed] if pressed is not None else [])]


def _same(one: State, two: State, key: str) -> bool:
    was, there = one.find(key), two.find(key)
    if was is None or there is None or not there.visible or not there.enabled:
        return False
    alike = all(getattr(was, part) == getattr(there, part) for part in ("item", "form", "href", "label"))
    known = bool(was.form) or one.route == two.route or (in_frame(one, was) and in_frame(two, there))
    return alike and known


def _followed(states: Mapping[str, State], transition: Transition) -> str | None:
    """The key of the link that led to another address; None where it was no link."""
    target, effect = target_of(transition.action), transition.effect
    if not isinstance(transition.action, Click) or target is None or effect.outcome is not Outcome.NAVIGATED:
        return None
    link = states[transition.source].find(target.key)
    return target.key if link is not None and link.href else None


def _path(state: State) -> str:
    return state.address.partition("?")[0]


def _harmless(transition: Transition) -> bool:
    effect = transition.effect
    return (
        transition.source != transition.target
        and transition.action.kind not in _DETOURS
        and effect.outcome not in _BROKEN
        and effect.main is not EffectClass.INVALID
        and not SESSION & set(effect.classes)
        and not writes_of(effect)
    )


def _length(walk: Walk) -> int:
    return sum(len(expand(transition.action)) for transition in walk)

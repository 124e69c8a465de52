"""Scrolls: where a screen may hold more than it displays, because a list goes on when it is scrolled.

Virtual lists keep only the rows in view, feeds fetch more at their end: both are one template, of which a few
screens tell enough. A list that is cut off and does not go on costs one try for its template. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from crawlers.offer import Offer
from schemas.action import Scroll, Target
from schemas.effect import Effect, EffectClass
from schemas.screen import Element, State

ENTRY = "[]"
"""How the template of an entry ends."""
MANY = 5
"""Entries of one template from which a list is taken for one that may go on."""
SHARE = 0.9
"""How far it is scrolled, as a share of what is seen of it."""
WEIGHT = 16
FURTHER = 4
"""Times that a list which went on is scrolled on."""


def scrolls(state: State) -> Iterator[Offer]:
    """Scrolling down each list that goes beyond what is seen of it, and the page."""
    entries: dict[int, dict[str, list[Element]]] = {}
    for index, element in enumerate(state.elements):
        if element.visible and element.template.endswith(ENTRY):
            holder = _holder(state, index)
            entries.setdefault(holder, {}).setdefault(element.template, []).append(element)
    for holder, templates in entries.items():
        scroller = state.elements[holder] if holder >= 0 else None
        edge = scroller.box.y2 if scroller and scroller.box else state.height
        for template, found in templates.items():
            if len(found) >= MANY and _goes_on(found[-1], edge):
                yield _offer(state, scroller, template)
                break


def further(offer: Offer, after: State, effect: Effect) -> Offer | None:
    """The same scrolling again, where it brought up something new."""
    if not isinstance(offer.action, Scroll) or offer.attempt >= FURTHER or effect.main is EffectClass.NONE:
        return None
    attempt = offer.attempt + 1
    return replace(offer, state=after.id, scope=f"{offer.scope} {attempt}", attempt=attempt)


def _holder(state: State, index: int) -> int:
    """The scrolling element around another; -1 for the page."""
    index = state.elements[index].parent
    while index >= 0 and not state.elements[index].scrollable:
        index = state.elements[index].parent
    return index


def _goes_on(last: Element, edge: int) -> bool:
    """Whether the last entry reaches the edge, or lies beyond it."""
    return last.box is None or last.box.y2 >= edge


def _offer(state: State, scroller: Element | None, template: str) -> Offer:
    seen = scroller.box.y2 - scroller.box.y1 if scroller and scroller.box else state.height
    return Offer(
        state=state.id,
        action=Scroll(
            reveal="down",
            pixels=round(SHARE * seen / state.scale),
            target=Target.of(scroller) if scroller else None,
        ),
        scope=f"scroll {template}",
        key=f"scroll {scroller.key if scroller else 'page'}",
        label=scroller.label if scroller else state.title,
        weight=WEIGHT,
        limit=1,
    )

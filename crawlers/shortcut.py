"""Shortcuts: what leads on from the present screen without loading a page that was seen before.

Links of a single-page App lead to another screen; opening its address would load the whole App anew. A menu
that stands on every page holds the same links everywhere: it is opened where one is.
"""

from __future__ import annotations

from crawlers.chart import Chart, Node
from crawlers.offer import Offer, offered_by
from schemas.action import Action, target_of
from schemas.effect import Evidence
from schemas.graph import Risk
from schemas.screen import Element, State


def is_soft(before: State, action: Action, after: State, evidence: Evidence) -> bool:
    """Whether pressing a link led to another place of the App without loading a page."""
    target = target_of(action)
    link = before.find(target.key) if target and action.kind == "click" else None
    loaded = any(request.document for request in evidence.requests)
    return link is not None and bool(link.href) and before.route != after.route and not loaded


def shortcut(state: State, address: str) -> Element | None:
    """A link to an address that can be pressed as the screen is."""
    if state.dialog is not None:
        return None
    return next((each for each in state.elements if each.href == address and each.pressable), None)


def opener(chart: Chart, offer: Offer, here: Node | None) -> tuple[Action, Risk] | None:
    """What opened the menu that a link lies in, as far as it can be opened on another screen of the same
    world as well; None where it cannot, or where the link lies in no menu.
    """
    node = chart.nodes[offer.state]
    if (
        here is None
        or here.state.dialog is not None
        or not offer.link
        or node.openable
        or node.parent is None
    ):
        return None
    source, action, risk = node.parent
    before = chart.nodes[source]
    in_place = before.state.route == node.state.route and before.world == node.world == here.world
    pressed = action.kind == "click" and offered_by(here.state, action)
    return (action, risk) if in_place and pressed else None

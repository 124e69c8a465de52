"""Shortcuts: links of a single-page App, which lead to another screen without loading a page. Opening its
address would load the whole App anew.
"""

from __future__ import annotations

from schemas.action import Action, target_of
from schemas.effect import Evidence
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

"""A recipe's steps as Actions: they are written by people, so they name elements by CSS selectors."""

from __future__ import annotations

from schemas.action import Action, Click, Open, Select, Target, Type
from schemas.app import Step
from schemas.screen import Locator


def action_of(step: Step) -> Action:
    """What a Driver performs for one step."""
    if step.do == "open":
        return Open(address=step.at)
    here = Locator(kind="css", value=step.at)
    target = Target(key="", template="", role="", label=step.at, locators=(here,))
    if step.do == "click":
        return Click(target=target)
    if step.do == "select":
        return Select(target=target, value=step.text, label=step.text)
    return Type(target=target, text=step.text, submit_after=step.do == "enter")

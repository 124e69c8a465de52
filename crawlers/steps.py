"""A recipe's steps as Actions: they are written by people, so they name a page's elements by CSS selectors
and a desktop program's, which has none, by their keys.
"""

from __future__ import annotations

from schemas.action import Action, Click, Open, Press, Select, Target, Type
from schemas.app import Step
from schemas.screen import Locator


def action_of(step: Step) -> Action:
    """What a Driver performs for one step."""
    if step.do == "open":
        return Open(address=step.at)
    here = Locator(kind="css", value=step.at)
    target = Target(key=step.at, template=step.at, role="", label=step.at, locators=(here,))
    if step.do == "click":
        return Click(target=target)
    if step.do == "select":
        return Select(target=target, value=step.text, label=step.text)
    if step.do == "press":
        return Press(keys=tuple(step.text.split("+")), target=target)
    return Type(target=target, text=step.text, submit_after=step.do == "enter")

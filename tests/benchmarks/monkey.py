"""The rival that knows nothing: it presses whatever can be pressed, drawn by lot, and types a word into what
can be typed into. What ends the session is kept from it, as from the other rivals.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from crawlers.driver import Driver, DriverError
from crawlers.host import Host
from crawlers.risk import may_try, risk_of
from crawlers.walker import OutOfBudget
from schemas.action import Action, Click, Open, Respond, Select, Target, Type
from schemas.screen import Element, State

PATIENCE = 20
"""Actions without a page load after which it goes back to the entry."""
IDLE = 6
"""Actions per page load after which it is stopped on an App that loads none."""
WORDS = ("otter", "7", "2027-02-01", "mail@example.com", "lantern", "12.50")


def monkey(host: Host, loads: int, exclude: Sequence[str], seed: int) -> int:
    """Act at random in a restored App until the Host's page loads are used up; the number of Actions."""
    host.restore()
    driver = host.driver()
    lot = random.Random(f"{host.app.name}/{seed}")  # noqa: S311 - repeatable, not secret
    acted = idle = 0
    try:
        state = driver.observe()
        while acted < loads * IDLE:
            action = _pick(state, host, exclude, lot) if idle < PATIENCE else Open()
            acted += 1
            before, state = state, _act(driver, host, action or Open(), state)
            idle = 0 if isinstance(action, Open) or before.address != state.address else idle + 1
    except OutOfBudget:
        pass
    finally:
        driver.close()
    return acted


def _act(driver: Driver, host: Host, action: Action, before: State) -> State:
    try:
        driver.perform(action)
        return driver.observe()
    except DriverError as error:
        if error.kind == "crashed":
            host.restore()
            driver.perform(Open())
            return driver.observe()
        return before


def _pick(state: State, host: Host, exclude: Sequence[str], lot: random.Random) -> Action | None:
    """One Action, every usable element being as likely as the other."""
    if state.dialog:
        return Respond(accept=lot.random() < 0.5)
    usable = [element for element in state.elements if _usable(element, host, exclude)]
    if not usable:
        return None
    element = lot.choice(usable)
    target = Target.of(element)
    if element.editable and element.kind != "file":
        return Type(target=target, text=lot.choice(WORDS))
    if element.options and element.tag.lower() == "select":
        option = lot.choice(element.options)
        return Select(target=target, value=option.value, label=option.label)
    return Click(target=target)


def _usable(element: Element, host: Host, exclude: Sequence[str]) -> bool:
    there = element.pressable and element.box is not None
    allowed = may_try(risk_of(element, host.app), host.app)
    kept = any(re.search(pattern, element.href) for pattern in exclude)
    return there and allowed and not kept and (element.clickable or element.editable)

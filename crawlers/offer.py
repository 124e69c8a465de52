"""An Offer is one Action that one State invites to, with what it takes to choose among many."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from crawlers.forms import expand
from schemas.action import Action, Click, Target, target_of
from schemas.effect import Effect
from schemas.graph import Risk
from schemas.screen import Element, State

LINK = "link "
"""What the scope of a link begins with."""
_ARMED = " armed"
_ASKED = re.compile(r"[?&][^=&]+=\{\}")
"""Parameters of a route that carry data, as opposed to those that name a screen."""


@dataclass(frozen=True)
class Offer:
    """One Action that could be tried from one State."""

    state: str
    action: Action
    scope: str
    """What it offers; offers of one scope stand for each other."""
    key: str
    label: str
    risk: Risk = Risk.NONE
    weight: int = 0
    """The lower, the earlier."""
    item: str = ""
    """Text of the repeated item that it acts on."""
    family: str = ""
    """For a control: its template on whatever route, for things that stand on every page."""
    space: str = ""
    """Where it stands among its like: a folder of addresses, a group of controls."""
    form: str = ""
    """For a form: its key and fields, whatever is entered."""
    fields: frozenset[str] = frozenset()
    """For a form: the parameters that can be entered as it is displayed."""
    kin: tuple[str, ...] = ()
    """What is likely to deal with it: for a form the place that it is sent to, for a link the page that it
    leads to, in whatever order, cut and filtering, and the order, cut, format … in which it is asked for."""
    limit: int = 2
    """Tries of its scope."""
    attempt: int = 0
    """For a form sent validly: which way of filling it."""

    @property
    def link(self) -> bool:
        """Whether it follows a link to an address of its own."""
        return self.scope.startswith(LINK)


def in_general(state: State, text: str) -> str:
    """A template without the name of the page that it stands on: what a page says of itself ("edit this
    page") is one thing, whichever of a hundred pages of its folder says it.
    """
    path = state.route.partition("?")[0].rstrip("/")
    folder, _, name = path.rpartition("/")
    return re.sub(rf"{re.escape(path)}(?![\w-])", f"{folder}/{{}}", text) if folder and name else text


def control(state: State, element: Element, action: Action, risk: Risk) -> Offer:
    """The offer of a control that leads to no address of its own."""
    return Offer(
        state=state.id,
        action=action,
        scope=f"{_ASKED.sub('', state.route)} {element.template} {action.kind}",
        key=element.key,
        label=element.label,
        risk=risk,
        weight=1,
        # Entries that say nothing are told apart by their place.
        item=element.item or (element.key if element.key != element.template else ""),
        family=in_general(state, f"{element.template} {action.kind}"),
        space=f"{_ASKED.sub('', state.route)} {element.template.rpartition('/')[0]}",
        limit=1 if risk is Risk.ACCOUNT else 2,
    )


def armed(before: State, after: State, offer: Offer, effect: Effect) -> Offer | None:
    """The same control again, where pressing it once only changed what it says ("Really?")."""
    action, evidence = offer.action, effect.evidence
    target = target_of(action)
    once = not offer.scope.endswith(_ARMED) and (action.kind != "submit" or action.variant == "valid")
    if target is None or not once or evidence.requests or evidence.dialog or before.address != after.address:
        return None
    first, then = before.find(target.key), after.find(target.key)
    if first is None or then is None or first.label == then.label or not then.clickable:
        return None
    again = Click(target=Target.of(then))
    return replace(
        offer, state=after.id, action=again, scope=offer.scope + _ARMED, label=then.label, weight=1
    )


def offered_by(state: State, action: Action) -> bool:
    """Whether another State of the same place offers the same, under the same labels."""
    targets = [target for part in expand(action) if (target := target_of(part))]
    found = [(target, state.find(target.key)) for target in targets]
    return bool(found) and all(
        element is not None
        and (element.label, element.item) == (target.label, target.item)
        and element.pressable
        for target, element in found
    )


def stands_for(state: State, source: State, offer: Offer) -> bool:
    """Whether trying an offer of ``source`` on another State is the same try: a link to the same address, or
    a control of the same place that is set the same way. Sending a form as it came is about what is in it.
    """
    target, action = target_of(offer.action), offer.action
    if (
        target is None
        or state.dialog is not None
        or (action.kind == "submit" and action.variant == "untouched")
    ):
        return False
    if not offer.link and state.route != source.route:
        return False
    here, there = state.find(target.key), source.find(target.key)
    if here is None or there is None or here.href != there.href or not offered_by(state, action):
        return False
    return offer.link or _setting(here) == _setting(there)


def _setting(element: Element) -> tuple[object, ...]:
    return (element.checked, element.value, element.options)

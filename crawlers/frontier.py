"""The frontier: what has been seen and not yet tried, and the pure choice of what to try next.

Offers of one scope stand for each other. Each scope is tried a bounded number of times and its first
try comes early, so that a table of a thousand rows or a calendar without end costs as much as one of two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from crawlers.offer import Offer
from crawlers.offers import offers
from crawlers.proposals import SENTINEL
from schemas.app import App
from schemas.graph import Risk, Untried
from schemas.screen import Element, State

Movement = Literal["stay", "follow", "open", "walk", "renew", "reset"]
"""How the crawl gets to an offer's State from where it is."""

_COST: dict[Movement, int] = {"stay": 0, "follow": 1, "open": 3, "walk": 4, "renew": 5, "reset": 7}
"""Going elsewhere loads a page that was seen: what can be done here is done first."""
_STAKES = {
    Risk.NONE: 0,
    Risk.REVERSIBLE: 1,
    Risk.IRREVERSIBLE: 2,
    Risk.FINANCIAL: 2,
    Risk.ACCOUNT: 9,
    Risk.EXTERNAL: 99,
}
"""What may cost a reset comes later, what ends the session last."""
_BEHIND = 10
"""Added for every write that a State lies behind: what is there to begin with comes first."""
_AGAIN = 20
"""Added for every earlier try of the same scope."""
_ANOTHER = 10
"""Added instead, where it would be tried on another item."""
_PART = 12
"""Added for a form that was sent when more of it was displayed."""
_ELSEWHERE = 4
"""Added for every earlier try of the same control on other routes."""
_ALIKE = 3
"""Added for every earlier form that was sent to the same place, or link to the same page, or
that asks for the same (an order, a format) of whatever page."""
_VIEWS = 9
"""The most that is added so to a link: in some Apps parameters choose not a view but what is done."""
_FAMILY = 4
"""Tries of one control over all routes."""
_LINKS = 2
"""Links followed for which one is added to all links: Apps full of links have forms, too."""
_MOST = 8
"""The most that is added so: a page that was not seen comes before mistakes in forms."""
_PATIENCE = 4
"""Links followed that one form sent makes up for."""
_DEEP = 4
"""Steps from the root that count: what can be done near it is done there, so that paths stay short."""
_SETTLED = 15
"""Added for what stands beside others that all led to one kind of screen."""
_NEXT = 1
"""Added to a control for everything that was tried in its group."""
_NEIGHBOURS = 4
"""Visits after which neighbours are compared."""
_CROWD = 2
"""Added to a link for every further visit to its folder: a manual or an archive is not the App. What lies
in no folder is the App itself."""


class Frontier:
    """Everything that could still be tried, in the order in which it was seen."""

    def __init__(self, app: App, *, seed: int = 0, per_template: int = 2) -> None:
        """An empty frontier; ``per_template`` bounds the items of a repeated template that are offered."""
        self.app = app
        self._seed = seed
        self._per_template = per_template
        self._pending: list[Offer] = []
        self._untried: dict[tuple[str, str], Untried] = {}
        self._failed: dict[tuple[str, str], Untried] = {}
        self._items: dict[tuple[str, str], set[str]] = {}
        self._tried: Counter[str] = Counter()
        self._acted_on: set[tuple[str, str]] = set()
        self._sent: dict[tuple[str, ...], set[frozenset[str]]] = {}
        self._landed: dict[str, list[str]] = {}
        self._links = 0
        self._seen: set[str] = set()
        self._keys: set[str] = set()
        self._controls: set[str] = set()
        self._forms: set[str] = set()

    def add(
        self, state: State, *, depth: int = 0, behind: int = 0, within: State | None = None, opener: str = ""
    ) -> None:
        """Take in what a newly seen State, so many steps from the root, offers and another of its structure
        did not offer already.

        Of one that lies behind so many writes, only what no State offered. Of one that opened ``within``
        another (a panel, a menu) by the control ``opener``, only what was not there before.
        """
        extra = _BEHIND * behind + min(depth, _DEEP)
        before = {each.key: each for each in within.elements} if within else {}
        for offer in offers(state, self.app, self._seed):
            if isinstance(offer, Untried):
                self._untried.setdefault((offer.key, offer.reason), offer)
            elif not (
                (behind and self._known(offer.scope))
                or (offer.key != opener and _offered(before.get(offer.key), offer))
            ):
                self._take_in(state, replace(offer, weight=offer.weight + extra))

    def _take_in(self, state: State, offer: Offer) -> None:
        self._seen.add(offer.scope)
        (self._forms if offer.form else self._controls).add(offer.form or offer.scope)
        items = self._items.setdefault((state.structure, offer.scope), set())
        if offer.item not in items and len(items) < self._per_template:
            items.add(offer.item)
            self._pending.append(offer)

    def push(self, offer: Offer) -> None:
        """Take in one more offer."""
        self._pending.append(offer)

    def take(self, movement: Callable[[Offer], Movement]) -> Offer | None:
        """The best offer, taken out; None when nothing worth trying is left."""
        best: tuple[int, int] | None = None
        for place, offer in enumerate(self._pending):
            if self._spent(offer):
                continue
            score = self._score(offer)
            if best is None or score < best[0]:
                score += _COST[movement(offer)]
                if best is None or score < best[0]:
                    best = (score, place)
        return self._pending.pop(best[1]) if best else None

    def note(self, offer: Offer, landed: str) -> None:
        """Count a try, and where it ended (a structure)."""
        self._tried[offer.scope] += 1
        self._keys.add(offer.key)
        if offer.item:
            self._acted_on.add((offer.scope, offer.item))
        for also in (offer.family, offer.form, *offer.kin):
            if also:
                self._tried[also] += 1
        if offer.form:
            self._links = max(0, self._links - _PATIENCE)
            self._sent.setdefault(offer.kin, set()).add(offer.fields)
        self._links += offer.link
        for beside in (offer.space, offer.family if offer.link else ""):
            if beside:
                self._landed.setdefault(beside, []).append(landed)

    def refuse(self, offer: Offer, reason: str) -> None:
        """Write down why an offer was given up."""
        self._failed.setdefault((offer.key, reason), _untried(offer, reason))

    def rest(self) -> tuple[Untried, ...]:
        """Everything that was seen and not tried, each kind once, with the reason."""
        for offer in self._pending:
            reason = "same_template" if self._tried[offer.scope] else "budget"
            self._untried.setdefault((offer.key, reason), _untried(offer, reason))
        never = (each for each in self._untried.values() if each.key not in self._keys)
        return (*self._failed.values(), *never)

    def counts(self) -> dict[str, int]:
        """Kinds of controls and of forms seen and tried, as fields of Coverage."""
        return {
            "clickables": len(self._controls),
            "clickables_tried": sum(1 for scope in self._controls if self._tried[scope]),
            "forms": len(self._forms),
            "forms_tried": sum(1 for form in self._forms if self._tried[form]),
        }

    def _known(self, scope: str) -> bool:
        """Whether a scope was seen, be it on another thing than the one that we made ourselves."""
        if scope in self._seen or not SENTINEL.search(scope):
            return scope in self._seen
        made = re.compile("[^/ ]+".join(map(re.escape, SENTINEL.split(scope))))
        return any(made.fullmatch(seen) for seen in self._seen)

    def _spent(self, offer: Offer) -> bool:
        family = 1 if offer.risk is Risk.ACCOUNT else _FAMILY
        return (
            self._tried[offer.scope] >= offer.limit
            or (offer.scope, offer.item) in self._acted_on
            or (bool(offer.family) and self._elsewhere(offer) >= family)
        )

    def _elsewhere(self, offer: Offer) -> int:
        """How often its like was tried for nothing new: links of a menu lead to a screen of its own each,
        those of a list to one kind of screen.
        """
        led = self._landed.get(offer.family, ()) if offer.link else ()
        return self._tried[offer.family] - max(0, len(set(led)) - 1)

    def _score(self, offer: Offer) -> int:
        again = self._tried[offer.scope]
        score = offer.weight + _STAKES[offer.risk] + (_ANOTHER if offer.item else _AGAIN) * again
        if offer.family and not again:
            score += _ELSEWHERE * self._elsewhere(offer)
        if any(offer.fields < sent for sent in self._sent.get(offer.kin, ())):
            score += _PART
        alike = _ALIKE * sum(self._tried[kin] for kin in offer.kin)
        landed = self._landed.get(offer.space, ())
        if offer.link:
            crowd = max(0, len(landed) - _NEIGHBOURS) if offer.space.startswith("/") else 0
            score += min(self._links // _LINKS, _MOST) + _CROWD * crowd + min(alike, _VIEWS)
        else:
            score += alike + (0 if again else _NEXT * len(landed))
        if len(landed) >= _NEIGHBOURS and len(set(landed)) * _NEIGHBOURS <= len(landed):
            score += _SETTLED
        return score


def _offered(element: Element | None, offer: Offer) -> bool:
    return element is not None and element.pressable and element.label == offer.label and not offer.form


def _untried(offer: Offer, reason: str) -> Untried:
    return Untried(state=offer.state, key=offer.key, label=offer.label, reason=reason)

"""Sendings: all ways in which one form of a State is sent while exploring."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from crawlers.forms import Form, VariantName, asks_for_words, backs_out, fill, forms_of, sends
from crawlers.offer import Offer, control, in_general
from crawlers.proposals import ATTEMPTS, propose, single
from crawlers.risk import may_try, risk_of
from schemas.action import Action, Click, Submit, Target
from schemas.app import App
from schemas.graph import Risk, Untried
from schemas.screen import Element, State

VARIANTS: tuple[VariantName, ...] = ("valid", "untouched", "invalid", "boundary")
_WEIGHT = {"valid": -4, "untouched": 12, "invalid": 10, "boundary": 18}
"""What a form does is told by sending it once, and by nothing else: that comes before following links."""
_ANOTHER = 5
"""Weight of sending it by another button than the first: it is mostly asked for in the same way."""
_SINGLE = 24
"""Weight of changing one field of a form alone."""
_SINGLES = 6
"""Fields of one form that are changed alone."""
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Sendings:
    """One form of one State."""

    state: State
    form: Form
    app: App
    seed: int

    def __iter__(self) -> Iterator[Offer | Untried]:
        """In all variants by the first button, validly by the others; Enter comes first where no button is
        made for sending, and what only leaves the form comes last. A file that is chosen beneath a button
        that cannot be pressed sends itself.
        """
        made = any(map(sends, self.form.submits))
        buttons = sorted(self.form.submits, key=backs_out)
        for place, button in enumerate(buttons if made and not self._chosen else (None, *buttons)):
            sender = button or self.form.fields[-1]
            risk = risk_of(sender, self.app)
            if button is None and risk is Risk.NONE and not asks_for_words(sender):
                risk = Risk.REVERSIBLE
            reason = "" if may_try(risk, self.app) else f"risk_{risk}"
            if not reason and sender.occluded and sender.kind != "file":
                reason = "covered"
            if reason:
                yield Untried(state=self.state.id, key=sender.key, label=sender.label, reason=reason)
            elif not self.form.fields and button is not None:
                yield control(self.state, button, Click(target=Target.of(button)), risk)
            else:
                yield from self._by(button, risk, first=place == 0)

    @property
    def _chosen(self) -> bool:
        """Whether all that can be done is to choose a file."""
        last = self.form.fields[-1:]
        return any(each.kind == "file" for each in last) and not any(b.pressable for b in self.form.submits)

    def _by(self, button: Element | None, risk: Risk, *, first: bool) -> Iterator[Offer]:
        for variant in VARIANTS if first else VARIANTS[:1]:
            values = propose(self.form, variant, self.app, seed=self.seed)
            if values is not None:
                weight = _WEIGHT[variant] if first else _ANOTHER
                yield self._offer(fill(self.form, values, button, variant), button, risk, weight)
        if first:
            yield from self._singles(button, risk)

    def _singles(self, button: Element | None, risk: Risk) -> Iterator[Offer]:
        """A form that came filled in, one field at a time."""
        if len(self.form.names) < 2 or not any(each.value for each in self.form.fields if each.editable):
            return
        for name in self.form.names[:_SINGLES]:
            values = single(self.form, name, self.app, seed=self.seed)
            if name in values:
                yield self._offer(fill(self.form, values, button), button, risk, _SINGLE, only=name)

    def _offer(
        self, action: Submit, button: Element | None, risk: Risk, weight: int, only: str = ""
    ) -> Offer:
        sender = button or self.form.fields[-1]
        key = _NUMBER.sub("{}", self.form.key)
        name = f"{key} [{' '.join(self.form.names)}]"
        # A form about one of many things is sent for two of them, so that both are known.
        twice = action.variant == "valid" and not only and "{}" in self.state.route
        # How a form refuses is the same whichever of its parts are folded away.
        scope = f"{name if action.variant == 'valid' else key} {sender.template} {action.variant} {only}"
        general = in_general(self.state, scope)
        place = key.partition("~")[0]
        folder = in_general(self.state, place)
        # One place may serve many forms; in a folder only those that ask for the same are alike.
        kin = place if folder == place else f"{folder} {' '.join(self.form.names)}"
        return Offer(
            state=self.state.id,
            action=action,
            scope=scope,
            key=sender.key,
            label=sender.label,
            risk=risk,
            weight=weight,
            item=self.state.address if twice else sender.item,
            family=general if general != scope else "",
            form=name,
            fields=frozenset(self.form.names),
            kin=(f"sent to {kin}",),
            limit=2 if twice else 1,
        )


def valid_again(state: State, offer: Offer, app: App, seed: int) -> Offer | None:
    """The same form sent with other valid values, or None where there are no others."""
    action = offer.action
    if action.kind != "submit" or action.variant != "valid":
        return None
    form = next((form for form in forms_of(state) if form.key == action.form), None)
    if form is None:
        return None
    sender = next((each for each in form.submits if action.submit and each.key == action.submit.key), None)
    refused: list[Action] = [action]
    for attempt in range(ATTEMPTS):
        again = fill(form, propose(form, "valid", app, seed=seed, attempt=attempt) or {}, sender)
        if attempt > offer.attempt and again not in refused:
            return replace(offer, action=again, scope=f"{offer.scope} {attempt}", attempt=attempt, limit=1)
        refused.append(again)
    return None

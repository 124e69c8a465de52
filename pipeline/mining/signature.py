"""A Signature names an effect free of language: what was called or written, by which form or control.

| seen                                   | text                   | told apart by                          |
|----------------------------------------|------------------------|----------------------------------------|
| a file was handed out                  | ``download ROUTE``     | the route                              |
| an accepted write request              | ``METHOD ROUTE``       | the form's fields, else the control    |
| browser storage, a file, a setting     | ``local KEY``          | the class and the control              |
| the same page, asked for otherwise     | ``GET ROUTE?field``    | the form's fields, else the control    |
| another page                           | ``GET ROUTE``          | the route                              |
| only the screen                        | ``ui STRUCTURE``       | the class and the control              |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from crawlers.words import DELETE, LOGIN, speaks_of
from pipeline.mining.pressed import Pressed
from schemas.action import Action, Submit, Target
from schemas.effect import Effect, EffectClass, Outcome, Request
from schemas.graph import Transition
from schemas.screen import Element, Quality, State

FAILED = frozenset({Outcome.CRASH, Outcome.BLOCKED, Outcome.TIMEOUT, Outcome.APP_LEFT, Outcome.DIALOG})
"""Outcomes that are no end of anything; a dialog waits for its answer."""

SESSION = frozenset({EffectClass.LOGIN, EffectClass.LOGOUT})
ASKED = frozenset({EffectClass.SEARCH, EffectClass.FILTER, EffectClass.SORT})
LIGHT = frozenset({EffectClass.NAVIGATE, EffectClass.OPEN, EffectClass.CLOSE})
"""Classes that leave everything as it was but the screen."""

_SCREEN = frozenset(
    {
        *(EffectClass.OPEN, EffectClass.TOGGLE, EffectClass.SET, *ASKED),
        *(EffectClass.CREATE, EffectClass.UPDATE, EffectClass.DELETE),
    }
)
_ENTRIES = frozenset({"type", "select", "check", "upload"})
_NOT_BY_HAND = frozenset({"open", "back", "wait", "finish", "scroll", "hover"})
_OPERATIONS = frozenset({"_method", "action", "op", "operation", "cmd", "command", "do", "task"})
"""Hidden fields by which one route serves several operations."""
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Signature:
    """What a group of Transitions has in common."""

    text: str
    effect: EffectClass
    control: str = ""
    """Template of the control, or the submitted name of the form's button."""
    fields: frozenset[str] = frozenset()
    """Names of the form's fields, numbers left out."""

    @property
    def family(self) -> tuple[str, str, str]:
        """What two forms must share to be the same form seen with more or fewer of its fields."""
        kind = self.effect.value if self.text.startswith("ui ") or " /" not in self.text else ""
        return ("ui" if self.text.startswith("ui ") else self.text, self.control, kind)


@dataclass(frozen=True)
class Sight:
    """One Transition that ended in an effect, with the screens on both sides."""

    transition: Transition
    source: State
    target: State
    signature: Signature

    @property
    def effect(self) -> Effect:
        """Its effect."""
        return self.transition.effect

    @property
    def call(self) -> Request | None:
        """The request that made the effect, where there was one."""
        return call_of(self.transition.effect)


def writes_of(effect: Effect) -> tuple[str, ...]:
    """Signatures of everything written behind the screen, in order; cookies alone are no write."""
    evidence = effect.evidence
    return (
        *(request.signature for request in evidence.requests if request.write),
        *(write.signature for write in evidence.storage if write.area not in {"cookie", "clipboard"}),
        *(f"download {download.route}" for download in evidence.downloads),
    )


def call_of(effect: Effect) -> Request | None:
    """The last write, a page load before data; without one, the last page that was loaded."""
    writes = effect.writes
    pages = [request for request in effect.evidence.requests if request.document and request.status]
    return next(
        (
            found[-1]
            for found in ([request for request in writes if request.document], writes, pages)
            if found
        ),
        None,
    )


def signature_of(
    transition: Transition, source: State, target: State, root: State, control: Target | None
) -> Signature | None:
    """What the Transition amounts to, or None where it is no end of a capability.

    ``control`` is what was finally pressed: for the answer to a dialog, what had brought it up.
    """
    if not _ended(transition, target):
        return None
    pressed = Pressed(source, transition.action, control)
    call = call_of(transition.effect)
    if pressed.backs_out or (call is not None and pressed.asks_password and speaks_of(LOGIN, call.route)):
        return None
    return _written(pressed, transition.effect) or _displayed(pressed, transition.effect, target, root)


def _sent(pressed: Pressed, text: str, kind: EffectClass, operation: str = "") -> Signature:
    """The Signature of something sent, told apart by the form's fields, else by the control."""
    names = frozenset(_DIGITS.sub("#", name) for name in pressed.names)
    if not names:
        return Signature(text, kind, operation + pressed.template)
    return Signature(text, kind, f"{operation}{pressed.button}", names)


def _written(pressed: Pressed, effect: Effect) -> Signature | None:
    """What was handed out, called or stored, if anything was."""
    stored, call = writes_of(effect), call_of(effect)
    kind = _write_class(effect)
    if pressed.ticked:
        # Whatever the list does then (a filter may hide the item), a box was turned.
        kind = EffectClass.TOGGLE
    if effect.evidence.downloads:
        return Signature(stored[-1], EffectClass.DOWNLOAD)
    if call is not None and call.write:
        if kind is EffectClass.DELETE and call.method != "DELETE" and not speaks_of(DELETE, call.route):
            # A list may grow shorter for many reasons: settled, archived, moved.
            kind = EffectClass.UPDATE
        return _sent(pressed, call.signature, kind, _operation(call))
    if stored:
        return Signature(stored[-1], kind, pressed.template)
    return None


def _displayed(pressed: Pressed, effect: Effect, target: State, root: State) -> Signature | None:
    """What the screen shows instead, where nothing was written."""
    asked = pressed.names or {name for name, _ in parse_qsl(urlsplit(target.address).query)}
    if effect.main in ASKED and asked:
        text = f"GET {target.route.partition('?')[0]}?{'&'.join(sorted(asked))}"
        return None if pressed.empty else _sent(pressed, text, effect.main)
    if effect.main is EffectClass.NAVIGATE:
        leads = target.route not in {root.route, pressed.source.route}
        return Signature(f"GET {target.route}", EffectClass.NAVIGATE) if leads else None
    return _on_screen(pressed, effect, target, root)


def core(signatures: Sequence[Signature]) -> frozenset[str]:
    """The fields that all sights of one form had, so that an opened "more" part changes no id."""
    return frozenset.intersection(*(signature.fields for signature in signatures))


def _ended(transition: Transition, target: State) -> bool:
    effect = transition.effect
    return not (
        effect.outcome in FAILED
        or effect.main is EffectClass.INVALID
        or SESSION & set(effect.classes)
        or target.quality in {Quality.ERROR, Quality.WALL, Quality.BLANK}
        or transition.action.kind in _NOT_BY_HAND
    )


def _write_class(effect: Effect) -> EffectClass:
    """The first class that is not about the screen alone."""
    written = (kind for kind in effect.classes if kind not in LIGHT and kind is not EffectClass.NONE)
    return next(written, EffectClass.UPDATE)


def _operation(call: Request) -> str:
    found = (f"{name}={value} " for name, value in call.fields if name in _OPERATIONS and value != "***")
    return "".join(found)


def _on_screen(pressed: Pressed, effect: Effect, target: State, root: State) -> Signature | None:
    source, action, control = pressed.source, pressed.action, pressed.control
    inside = source.find(control.key) if control else None
    entering = action.kind in _ENTRIES and inside is not None and bool(inside.form)
    if effect.main not in _SCREEN or entering or target.id == root.id or control is None:
        return None
    if effect.main is not EffectClass.TOGGLE and not _says_more(effect, source, target, control):
        return None
    kind = _screen_class(effect, source, target, action)
    return Signature(f"ui {target.structure}", kind, control.template)


def _says_more(effect: Effect, source: State, target: State, control: Target) -> bool:
    """Whether more changed than the control's own words ("delete" that turns into "sure?") and what stands
    in the fields of a form, which is nothing until it is sent.
    """
    own = {control.label}
    own |= {
        line
        for state in (source, target)
        for element in (state.find(control.key), *_unsent(state))
        if element
        for line in (element.name, element.text, element.value)
    }
    there = {element.key for element in source.elements if element.visible}
    new = any(e.visible and (e.clickable or e.editable) and e.key not in there for e in target.elements)
    return new or bool({*effect.delta.appeared, *effect.delta.vanished} - own)


def _unsent(state: State) -> list[Element]:
    return [element for element in state.elements if element.form and element.editable]


def _screen_class(effect: Effect, source: State, target: State, action: Action) -> EffectClass:
    """A text that was entered and now stands in the list was created, though nothing left the page."""
    if isinstance(action, Submit) and effect.main in {EffectClass.SET, EffectClass.OPEN}:
        typed = {field.value for field in action.fields if field.action.kind == "type"}
        if typed & set(effect.delta.appeared) and _rows(target) > _rows(source):
            return EffectClass.CREATE
    if effect.main in {EffectClass.SET, EffectClass.CLOSE} and _rows(target) < _rows(source):
        return EffectClass.DELETE
    return effect.main


def _rows(state: State) -> int:
    return len({element.item for element in state.elements if element.visible and element.item})

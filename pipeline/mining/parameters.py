"""Parameters: the fields of a capability's form, typed by what they look like and by what the App did
with the values that the explorer entered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crawlers.forms import Form, parameter
from crawlers.words import words_of
from pipeline.mining.entities import ancestors
from pipeline.mining.naming import label_of
from pipeline.mining.pressed import form_of
from pipeline.mining.signature import Sight
from schemas.action import FieldInput, Submit
from schemas.capability import Choice, Parameter, ParameterKind
from schemas.effect import EffectClass
from schemas.graph import Transition
from schemas.screen import Element, State

_BY_TYPE = {
    "email": ParameterKind.EMAIL,
    "url": ParameterKind.URL,
    "number": ParameterKind.NUMBER,
    "range": ParameterKind.NUMBER,
    "date": ParameterKind.DATE,
    "time": ParameterKind.TIME,
    "password": ParameterKind.PASSWORD,
    "file": ParameterKind.FILE,
    "search": ParameterKind.QUERY,
}
_BY_ROLE = {"searchbox": ParameterKind.QUERY, "spinbutton": ParameterKind.NUMBER}
_BY_TAG = {"textarea": ParameterKind.LONG_TEXT}
_BY_WORD = (
    (ParameterKind.QUERY, frozenset({"q", "query", "search", "keyword", "find", "searchterm"})),
    (ParameterKind.AMOUNT, frozenset({"amount", "price", "cost", "total", "sum", "fee", "budget"})),
    (ParameterKind.EMAIL, frozenset({"email", "mail"})),
    (ParameterKind.URL, frozenset({"url", "link", "website", "homepage"})),
    (ParameterKind.DATE, frozenset({"date", "day", "due"})),
    (ParameterKind.NUMBER, frozenset({"number", "count", "quantity", "qty", "weight", "age", "size"})),
    (ParameterKind.LONG_TEXT, frozenset({"description", "comment", "body", "content", "notes", "message"})),
    (ParameterKind.NAME, frozenset({"name", "person", "member", "participant", "author", "owner"})),
)
_SECRET = "{secret:"  # noqa: S105 - the mark of a placeholder


def parameters_of(
    sights: Sequence[Sight], refusals: Iterable[tuple[State, Transition]], reference: Sight
) -> tuple[Parameter, ...]:
    """The parameters of the reference's form, in screen order."""
    form = form_of(reference.source, reference.transition.action)
    if form is None or not form.fields:
        return ()
    accepted = _values(sight.transition for sight in sights)
    refused = _values(transition for state, transition in refusals if _same(form, state, transition))
    found = _Form(form, reference.source, tuple(sights))
    return tuple(found.parameter(name, accepted.get(name, ()), refused.get(name, ())) for name in form.names)


def kind_of(element: Element) -> ParameterKind:
    """What a field accepts, from its type and else from its submitted name."""
    if element.password:
        return ParameterKind.PASSWORD
    if element.options or "radio" in {element.role, element.kind}:
        return ParameterKind.CHOICE
    if element.checkable:
        return ParameterKind.FLAG
    known = _BY_TYPE.get(element.kind) or _BY_ROLE.get(element.role) or _BY_TAG.get(element.tag.lower())
    words = words_of(element.field or element.key)
    return known or next((kind for kind, family in _BY_WORD if words & family), ParameterKind.TEXT)


@dataclass(frozen=True)
class _Form:
    """A form on its screen, with everything that was seen of it."""

    form: Form
    source: State
    sights: tuple[Sight, ...]

    def parameter(self, name: str, accepted: tuple[str, ...], refused: tuple[str, ...]) -> Parameter:
        """One parameter, which may be a group of boxes or buttons."""
        members = self.form.members(name)
        first, many = members[0], len(members) > 1
        kind = kind_of(first)
        return Parameter(
            name=name,
            label=_group_label(self.source, first) if many else label_of(first),
            kind=ParameterKind.CHOICE if many and kind is ParameterKind.FLAG else kind,
            required=first.required or "" in refused,
            choices=_choices(members, self.sights),
            limits=first.limits,
            preset=_preset(members),
            accepted=accepted,
            refused=tuple(value for value in refused if value not in accepted),
            echoed=any(_echoed(name, sight) for sight in self.sights),
            carried=next((field for sight in self.sights if (field := _carried(name, sight))), ""),
        )


def _group_label(state: State, member: Element) -> str:
    """What the group around a radio button or box is called; its own label is only one of the choices."""
    groups = (label_of(each) for each in ancestors(state, member) if each.role in {"group", "radiogroup"})
    return next(filter(None, groups), "")


def _choices(members: Sequence[Element], sights: Sequence[Sight]) -> tuple[Choice, ...]:
    first = members[0]
    if first.options:
        return tuple(Choice(value=option.value, label=option.label) for option in first.options)
    if len(members) > 1:
        return tuple(Choice(value=member.value, label=member.label) for member in members)
    if not first.checkable:
        return ()
    # How a box says "on" is known only from a request that carried it.
    sent = (
        value
        for sight in sights
        if sight.call is not None and _ticked(parameter(first), sight)
        for name, value in sight.call.fields
        if name == first.field
    )
    return tuple(Choice(value=value, label=first.label) for value in list(sent)[:1])


def _ticked(name: str, sight: Sight) -> bool:
    return any(field.name == name and field.value == "true" for field in _fields(sight.transition))


def _preset(members: Sequence[Element]) -> str:
    first = members[0]
    if first.options:
        return next((option.value for option in first.options if option.selected), first.value)
    if not first.checkable:
        return first.value
    if len(members) == 1:
        return "true" if first.checked else "false"
    return ",".join(member.value for member in members if member.checked)


def _fields(transition: Transition) -> tuple[FieldInput, ...]:
    return transition.action.fields if isinstance(transition.action, Submit) else ()


def _values(transitions: Iterable[Transition]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for transition in transitions:
        for field in _fields(transition):
            if _SECRET not in field.value:
                found.setdefault(field.name, {})[field.value] = None
    return {name: tuple(values) for name, values in found.items()}


def _same(form: Form, state: State, transition: Transition) -> bool:
    if transition.effect.main is not EffectClass.INVALID:
        return False
    other = form_of(state, transition.action)
    return other is not None and other.names == form.names


def _echoed(name: str, sight: Sight) -> bool:
    typed = next((field for field in _fields(sight.transition) if field.name == name), None)
    if typed is None or len(typed.value) < 2 or typed.action.kind != "type":
        return False
    return _count(sight.target, typed.value) > _count(sight.source, typed.value)


def _carried(name: str, sight: Sight) -> str:
    """The name that the request gave the value: the field's own, else the only one with that value."""
    typed = next((field for field in _fields(sight.transition) if field.name == name), None)
    if typed is None or not typed.value:
        return ""
    evidence = sight.effect.evidence
    if typed.action.kind == "check" and sight.call is not None:
        return name if typed.value != "false" and name in dict(sight.call.fields) else ""
    sent = () if sight.call is None else (*sight.call.fields, *sight.call.query)
    if (name, typed.value) in sent:
        return name
    alike = [field for field, value in sent if value == typed.value]
    stored = [write.key for write in evidence.storage if typed.value in write.value]
    return next(iter(alike if len(alike) == 1 else stored), "")


def _count(state: State, text: str) -> int:
    """Displayed lines with the text, what stands in entry fields left out."""
    return sum(
        any(text in line for line in (element.name, element.text))
        for element in state.elements
        if element.visible and not element.editable
    )

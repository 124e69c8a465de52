"""Forms: the fields of a screen that are sent together, filled as one compound action.

Entry fields that belong to no form are forms of one field, sent with Enter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from crawlers.files import file_name
from crawlers.words import CANCEL, PREVIEW, SEARCH, says_only, speaks_of
from schemas.action import (
    Action,
    Check,
    Click,
    FieldInput,
    Press,
    Select,
    Submit,
    Target,
    Type,
    Upload,
)
from schemas.screen import Element, State

VariantName = Literal["valid", "boundary", "invalid", "untouched"]

_SENDS = frozenset({"submit", "image"})


@dataclass(frozen=True)
class Form:
    """What can be filled in, and what sends it."""

    key: str
    fields: tuple[Element, ...]
    """Displayed, enabled fields in screen order, every radio button of a group by itself."""
    submits: tuple[Element, ...]
    """The buttons that send it; empty where only Enter does."""

    @property
    def names(self) -> tuple[str, ...]:
        """Parameter names in screen order, each once."""
        return tuple(dict.fromkeys(parameter(field) for field in self.fields))

    def members(self, name: str) -> tuple[Element, ...]:
        """The fields of one parameter: one, or all buttons and boxes of a group."""
        return tuple(field for field in self.fields if parameter(field) == name)


def parameter(field: Element) -> str:
    """The name of the parameter that a field carries."""
    return field.field or field.key


def is_field(element: Element) -> bool:
    """Whether something can be entered into it now."""
    entry = element.editable or element.checkable or bool(element.options)
    usable = element.visible or element.kind == "file"
    return entry and usable and element.enabled and element.kind != "hidden"


def asks_for_words(field: Element) -> bool:
    """Whether it is a search field."""
    return field.kind == "search" or field.role == "searchbox" or speaks_of(SEARCH, field.field)


def sends(element: Element) -> bool:
    """Whether it is a button that sends the form around it."""
    return bool(element.form) and element.kind in _SENDS


def backs_out(button: Element) -> bool:
    """Whether a button of a form, by its words, only leaves the form or shows what it would do."""
    return any(says_only(CANCEL, text) or speaks_of(PREVIEW, text) for text in (button.field, button.label))


def forms_of(state: State) -> tuple[Form, ...]:
    """Every form of a screen, in screen order. A group of boxes and buttons where nothing is typed, chosen
    or sent is no form: each of its controls acts at once.
    """
    fields: dict[str, list[Element]] = {}
    buttons: dict[str, list[Element]] = {}
    for element in state.elements:
        if is_field(element):
            if element.form:
                fields.setdefault(element.form, []).append(element)
            elif _typed(element):
                fields.setdefault(element.key, []).append(element)
        elif element.form and _button(element):
            buttons.setdefault(element.form, []).append(element)
    keys = (
        key
        for key in dict.fromkeys((*fields, *buttons))
        if any(map(_entered, fields.get(key, ()))) or any(map(sends, buttons.get(key, ())))
    )
    return tuple(Form(key, tuple(fields.get(key, ())), _senders(buttons.get(key, ()))) for key in keys)


def fill(
    form: Form,
    values: Mapping[str, str],
    submit: Element | None,
    variant: VariantName = "valid",
) -> Submit:
    """The compound action that enters ``values`` (parameter name → value, see ``FieldInput.value``) and
    sends the form. Fields without a value are left as they are, as are names the form does not have.
    """
    inputs: list[FieldInput] = []
    for name in form.names:
        if name in values:
            inputs.extend(_enter(name, form.members(name), values[name]))
    return Submit(
        form=form.key,
        fields=tuple(inputs),
        submit=Target.of(submit) if submit else None,
        variant=variant,
    )


def expand(action: Action) -> tuple[Action, ...]:
    """The primitives of a compound action, in order; a primitive stands for itself. Without a button, Enter
    sends what was filled in, and choosing a file is all that can be done.
    """
    if not isinstance(action, Submit):
        return (action,)
    steps: list[Action] = [field.action for field in action.fields]
    if action.submit is not None:
        return (*steps, Click(target=action.submit))
    if steps and isinstance(steps[-1], Type):
        return (*steps[:-1], steps[-1].model_copy(update={"submit_after": True}))
    if steps and isinstance(steps[-1], Upload):
        return tuple(steps)
    return (*steps, Press(keys=("Enter",)))


def expanded(actions: Sequence[Action]) -> tuple[Action, ...]:
    """The primitives of a whole path."""
    return tuple(part for action in actions for part in expand(action))


def _typed(field: Element) -> bool:
    return field.editable and not field.checkable and not field.options


def _entered(field: Element) -> bool:
    return _typed(field) or bool(field.options)


def _senders(buttons: Sequence[Element]) -> tuple[Element, ...]:
    """The buttons made for sending; where none is, any button may be the one."""
    return tuple(button for button in buttons if sends(button)) or tuple(buttons)


def _button(element: Element) -> bool:
    return (
        element.visible
        and element.enabled
        and element.clickable
        and not element.href
        and (element.role == "button" or element.kind in _SENDS)
    )


def _enter(name: str, members: Sequence[Element], value: str) -> list[FieldInput]:
    """How one parameter gets its value; a group of radio buttons by the one button that has it."""
    first = members[0]
    if first.role == "radio" or first.kind == "radio":
        chosen = next((member for member in members if _own(member) == value), None)
        if chosen is None:
            return []
        return [FieldInput(name=name, value=value, action=Check(target=Target.of(chosen), checked=True))]
    return [FieldInput(name=name, value=value, action=_primitive(first, value))]


def _own(member: Element) -> str:
    return member.value or member.label


def _primitive(field: Element, value: str) -> Type | Select | Check | Upload:
    target = Target.of(field)
    if field.options:
        label = next((option.label for option in field.options if option.value == value), value)
        return Select(target=target, value=value, label=label)
    if field.checkable:
        return Check(target=target, checked=value == "true")
    if field.kind == "file":
        return Upload(target=target, asset=file_name(field, value), content=value)
    return Type(target=target, text=value)

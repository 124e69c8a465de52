"""Refusal: did the App, or the browser for it, turn down a form that was sent?"""

from __future__ import annotations

from collections.abc import Sequence

from crawlers.change import Change, items_of
from crawlers.forms import Form, forms_of, parameter
from crawlers.words import ERROR, speaks_of
from schemas.action import Action, Submit, Type, Upload
from schemas.screen import Element


def refused(change: Change) -> bool:
    """Whether the write was refused (4xx, 5xx), or the form is asked for again for a reason."""
    if change.sent and not change.writes:
        return True
    form = _asked_again(change)
    if form is None or _chose_a_file(change.action):
        return False
    if not change.evidence.requests and not change.stored:
        return _kept_back(change) and not _took_a_line(change)
    if not change.sent:
        return False
    complains = speaks_of(ERROR, *_new_prose(change))
    moved = change.before.route != change.after.route
    if any(300 <= request.status < 400 for request in change.sent):
        return complains and not moved
    # Answered without a redirect: asked again on the spot with a complaint, or elsewhere at all.
    unchanged = moved and not change.searched and _holds_what_was_typed(form, change)
    return unchanged or complains or _complaint_inside(form.fields, change)


def _kept_back(change: Change) -> bool:
    """Whether the browser did not let the form go: nothing left, and the screen is as it was."""
    before, after = change.before, change.after
    # A button that now asks "Really?" has not been refused.
    now = after.find(change.pressed.key) if change.pressed else None
    asks = change.pressed is not None and now is not None and change.pressed.label != now.label
    return (
        isinstance(change.action, Submit)
        and not asks
        and (before.structure, before.address) == (after.structure, after.address)
        and items_of(before) == items_of(after)
    )


def _took_a_line(change: Change) -> bool:
    """Whether there was nothing to send: in a text of several lines, Enter ends a line."""
    action = change.action
    if not isinstance(action, Submit) or action.submit is not None or not action.fields:
        return False
    field = change.before.find(action.fields[-1].action.target.key)
    return field is not None and field.tag == "textarea"


def _chose_a_file(action: Action) -> bool:
    """Whether that was all: what lets one choose is there to choose the next, too."""
    if not isinstance(action, Submit) or action.submit is not None or not action.fields:
        return False
    return isinstance(action.fields[-1].action, Upload)


def _asked_again(change: Change) -> Form | None:
    """The form that was sent, as it is displayed afterwards."""
    if isinstance(change.action, Submit):
        key = change.action.form
    else:
        key = change.pressed.form if change.pressed else ""
    sent = next((form for form in forms_of(change.before) if form.key == key), None)
    if sent is None or not sent.fields:
        return None
    after = forms_of(change.after)
    return next((form for form in after if form.key == key or form.names == sent.names), None)


def _holds_what_was_typed(form: Form, change: Change) -> bool:
    if not isinstance(change.action, Submit):
        return False
    values = {parameter(field): field.value for field in form.fields if not field.password}
    typed = [
        field for field in change.action.fields if isinstance(field.action, Type) and field.name in values
    ]
    return bool(typed) and all(values[field.name] == field.value for field in typed)


def _new_prose(change: Change) -> list[str]:
    new = set(change.delta.appeared)
    return [
        element.label
        for element in change.after.elements
        if element.visible and not element.value and element.label in new
    ]


def _complaint_inside(fields: Sequence[Element], change: Change) -> bool:
    """Whether new text stands between the fields of a form that came back."""
    new = set(change.delta.appeared)
    keys = {field.key for field in fields}
    places = [index for index, element in enumerate(change.after.elements) if element.key in keys]
    inside = change.after.elements[min(places) : max(places) + 3] if places else ()
    return any(
        element.visible and element.text in new and not element.clickable and element.key not in keys
        for element in inside
    )

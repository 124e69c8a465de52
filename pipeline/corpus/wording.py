"""Keypoints and Actions as short English sentences, for tables and pages that people read."""

from __future__ import annotations

from functools import singledispatch

from schemas.action import (
    Action,
    Back,
    Check,
    Click,
    Drag,
    Finish,
    Hover,
    Open,
    Press,
    Respond,
    Scroll,
    Select,
    Submit,
    Target,
    Type,
    Upload,
    Wait,
)
from schemas.task import (
    Answered,
    Carried,
    ElementIs,
    Forbidden,
    Happened,
    Keypoint,
    Ordered,
    Shown,
    Visited,
)


def sentence_of(keypoint: Keypoint) -> str:
    """What has to hold, as one sentence."""
    return _keypoint(keypoint)


def caption_of(action: Action) -> str:
    """What is done, as a user would say it: ``Click "Add bill"``."""
    return _action(action)


def _called(target: Target | None) -> str:
    if target is None:
        return "the screen"
    name = f"“{target.label}”" if target.label else f"the {target.role}"
    return f"{name} of “{_short(target.item)}”" if target.item else name


def _short(text: str, width: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


@singledispatch
def _keypoint(keypoint: object) -> str:
    message = f"no wording for {type(keypoint).__name__}"
    raise TypeError(message)


@_keypoint.register
def _(keypoint: Visited) -> str:
    return f"{'The last screen is' if keypoint.final else 'A screen is'} {keypoint.route}"


@_keypoint.register
def _(keypoint: Happened) -> str:
    times = "once" if keypoint.count == 1 else f"{keypoint.count} times"
    at = f" (at {keypoint.path})" if keypoint.path else ""
    return f"{keypoint.signature} happens exactly {times}{at}"


@_keypoint.register
def _(keypoint: Carried) -> str:
    return f"{keypoint.signature} carries {keypoint.field} = “{_short(keypoint.value)}”"


@_keypoint.register
def _(keypoint: Shown) -> str:
    return (
        f"“{_short(keypoint.text)}” is displayed {'more' if keypoint.present else 'less'} often than before"
    )


@_keypoint.register
def _(keypoint: ElementIs) -> str:
    return f"{keypoint.attribute} of {keypoint.key} has become “{_short(keypoint.value)}”"


@_keypoint.register
def _(keypoint: Ordered) -> str:
    return f"{keypoint.first} is met before {keypoint.second}"


@_keypoint.register
def _(keypoint: Forbidden) -> str:
    allowed = ", ".join(keypoint.allowed)
    return f"Nothing else is written (allowed: {allowed})" if allowed else "Nothing at all is written"


@_keypoint.register
def _(keypoint: Answered) -> str:
    return f"The answer is “{_short(keypoint.value)}”"


@singledispatch
def _action(action: object) -> str:
    message = f"no wording for {type(action).__name__}"
    raise TypeError(message)


@_action.register
def _(action: Open) -> str:
    return f"Open {action.address or 'the app'}"


@_action.register
def _(action: Click) -> str:
    verb = {1: "Click", 2: "Double-click"}.get(action.count, f"Click {action.count} times")
    return f"{verb if action.button == 'left' else f'{action.button.title()}-click'} {_called(action.target)}"


@_action.register
def _(action: Hover) -> str:
    return f"Point at {_called(action.target)}"


@_action.register
def _(action: Drag) -> str:
    return f"Drag {_called(action.target)} onto {_called(action.onto)}"


@_action.register
def _(action: Type) -> str:
    enter = " and press Enter" if action.submit_after else ""
    return f"Type “{_short(action.text)}” into {_called(action.target)}{enter}"


@_action.register
def _(action: Select) -> str:
    return f"Select “{_short(action.label or action.value)}” in {_called(action.target)}"


@_action.register
def _(action: Check) -> str:
    return f"{'Tick' if action.checked else 'Untick'} {_called(action.target)}"


@_action.register
def _(action: Upload) -> str:
    return f"Upload {action.asset} to {_called(action.target)}"


@_action.register
def _(action: Press) -> str:
    return f"Press {'+'.join(action.keys)}"


@_action.register
def _(action: Scroll) -> str:
    return f"Scroll to reveal what is {_SIDES[action.reveal]}"


_SIDES = {"up": "above", "down": "below", "left": "on the left", "right": "on the right"}


@_action.register
def _(_action: Back) -> str:
    return "Go back"


@_action.register
def _(action: Wait) -> str:
    return f"Wait {action.ms} ms"


@_action.register
def _(action: Respond) -> str:
    return f"{'Accept' if action.accept else 'Dismiss'} the dialog"


@_action.register
def _(action: Finish) -> str:
    return f"Answer “{_short(action.answer)}”" if action.answer else f"Finish ({action.status})"


@_action.register
def _(action: Submit) -> str:
    entries = ", ".join(f"{field.name} = “{_short(field.value, 24)}”" for field in action.fields)
    return f"Fill in {entries} and press {_called(action.submit)}" if action.submit else f"Fill in {entries}"

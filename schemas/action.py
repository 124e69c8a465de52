"""An Action is what a user does: a closed union told apart by ``kind``. It keeps the intent (which
element, what text); the gesture (which pixel) is kept beside it in the Step that performed it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.record import Record, digest
from schemas.screen import Element, Locator


class Target(Record):
    """The element an Action is meant for, with what it takes to find it again on another visit."""

    key: str
    template: str
    role: str
    label: str
    """As displayed in the crawled language."""
    item: str = ""
    """Text of the repeated item around it."""
    locators: tuple[Locator, ...] = ()
    frame: tuple[str, ...] = ()

    @classmethod
    def of(cls, element: Element) -> Target:
        """The target that stands for an observed element."""
        return cls(
            key=element.key,
            template=element.template,
            role=element.role,
            label=element.label,
            item=element.item,
            locators=element.locators,
            frame=element.frame,
        )


class Open(Record):
    """Go to an address of the App (or launch it, where ``address`` is empty)."""

    kind: Literal["open"] = "open"
    address: str = ""


class Click(Record):
    """Click or tap."""

    kind: Literal["click"] = "click"
    target: Target
    button: Literal["left", "right", "middle"] = "left"
    count: int = 1


class Hover(Record):
    """Move the pointer over an element."""

    kind: Literal["hover"] = "hover"
    target: Target


class Drag(Record):
    """Press on one element, move to another, and let go there."""

    kind: Literal["drag"] = "drag"
    target: Target
    onto: Target


class Type(Record):
    """Enter text into a field. Focusing it is included."""

    kind: Literal["type"] = "type"
    target: Target
    text: str
    """``{secret:NAME}`` stands for the App's secret of that name; the plain value is never stored."""
    clear_before: bool = True
    submit_after: bool = False
    """Press Enter afterwards."""


class Select(Record):
    """Choose an option of a select or radio group. Native popups are not part of the image, so this is
    one action and no click.
    """

    kind: Literal["select"] = "select"
    target: Target
    value: str
    label: str


class Check(Record):
    """Bring a checkbox, switch or radio button to a state; doing it twice changes nothing."""

    kind: Literal["check"] = "check"
    target: Target
    checked: bool


class Upload(Record):
    """Give a file to a file field."""

    kind: Literal["upload"] = "upload"
    target: Target
    asset: str
    """Name of one of the Task's assets."""
    content: str
    """The file's text."""


class Press(Record):
    """Press keys together, such as ``("Control", "a")``; Playwright's key names."""

    kind: Literal["press"] = "press"
    keys: tuple[str, ...]
    target: Target | None = None


class Scroll(Record):
    """Scroll so that content on the ``reveal`` side comes into view (not the way a finger moves)."""

    kind: Literal["scroll"] = "scroll"
    reveal: Literal["up", "down", "left", "right"]
    pixels: int
    target: Target | None = None


class Back(Record):
    """The platform's own way back."""

    kind: Literal["back"] = "back"


class Wait(Record):
    """Do nothing for a while."""

    kind: Literal["wait"] = "wait"
    ms: int = 1000


class Respond(Record):
    """Answer a native dialog."""

    kind: Literal["respond"] = "respond"
    accept: bool
    text: str = ""


class Finish(Record):
    """End the episode, with the answer where the task asks for one. Always a row of its own."""

    kind: Literal["finish"] = "finish"
    status: Literal["success", "infeasible", "failure"] = "success"
    answer: str = ""


class FieldInput(Record):
    """One field of a form and what goes into it."""

    name: str
    """Parameter name: the submitted field name, else the element's key."""
    value: str
    """Text, option value, ``true``/``false`` for a checkbox; ``{secret:NAME}`` for a secret."""
    action: Annotated[Type | Select | Check | Upload, Field(discriminator="kind")]
    """The primitive that enters it."""


class Submit(Record):
    """A form filled and sent: one compound action with typed parameters, used while exploring. Tasks and
    trajectories hold its primitives (``crawlers.forms.expand``).
    """

    kind: Literal["submit"] = "submit"
    form: str
    """Key of the form."""
    fields: tuple[FieldInput, ...]
    submit: Target | None
    """The button; None presses Enter in the last field."""
    variant: Literal["valid", "boundary", "invalid", "untouched"] = "valid"


Action = Annotated[
    Open
    | Click
    | Hover
    | Drag
    | Type
    | Select
    | Check
    | Upload
    | Press
    | Scroll
    | Back
    | Wait
    | Respond
    | Finish
    | Submit,
    Field(discriminator="kind"),
]


def target_of(action: Action) -> Target | None:
    """The element an action is meant for, or None when it is for the screen as a whole."""
    if isinstance(action, Submit):
        return action.submit
    return getattr(action, "target", None)


def action_id(action: Action) -> str:
    """Content id of what is done to which element: displayed labels and locators left out, so the same
    action has the same id in every language (typed values still count).
    """
    return digest("ac", _intent(action))


def _intent(action: Action) -> object:
    if isinstance(action, Submit):
        fields = [[field.name, field.value] for field in action.fields]
        return ["submit", action.form, fields, action.submit.key if action.submit else ""]
    plain = action.model_dump(mode="json", exclude={"target", "label", "onto"})
    target = target_of(action)
    onto = [action.onto.key] if isinstance(action, Drag) else []
    return [plain, target.key if target else "", *onto]

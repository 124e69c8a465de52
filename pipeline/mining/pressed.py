"""What was pressed: a control on its screen, and the form that it sends."""

from __future__ import annotations

from dataclasses import dataclass

from crawlers.forms import Form, backs_out, forms_of, parameter
from schemas.action import Action, Submit, Target, target_of
from schemas.screen import Element, State


@dataclass(frozen=True)
class Pressed:
    """A control on its screen, with the action that used it."""

    source: State
    action: Action
    control: Target | None

    @property
    def template(self) -> str:
        """The control's template; empty where nothing was pressed."""
        return self.control.template if self.control else ""

    @property
    def asks_password(self) -> bool:
        """Whether the form holds a password field."""
        form = form_of(self.source, self.action)
        return form is not None and any(field.password for field in form.fields)

    @property
    def backs_out(self) -> bool:
        """Whether the button only leaves the form or shows what it would do, though its request looks like
        a write: a form is sent whole whichever of its buttons is pressed.
        """
        element = self._element
        if element is None or element.editable or not element.form:
            return False
        return backs_out(element)

    @property
    def ticked(self) -> bool:
        """Whether a box or switch was turned by itself."""
        element = self._element
        return element is not None and element.checkable and not isinstance(self.action, Submit)

    @property
    def empty(self) -> bool:
        """Whether a form was sent into which nothing was entered."""
        return isinstance(self.action, Submit) and not self.action.fields

    @property
    def names(self) -> set[str]:
        """Entry fields of the form, those folded away included."""
        form = form_of(self.source, self.action)
        if form is None or not form.fields:
            return set()
        folded = (e for e in self.source.elements if e.form == form.key and _entry(e))
        return {*form.names, *map(parameter, folded)}

    @property
    def button(self) -> str:
        """The submitted name of the button that was pressed."""
        element = self._element
        return element.field if element and not element.editable else ""

    @property
    def _element(self) -> Element | None:
        return self.source.find(self.control.key) if self.control else None


def form_of(state: State, action: Action) -> Form | None:
    """The form that an action fills or sends, as the screen showed it."""
    target = target_of(action)
    element = state.find(target.key) if target else None
    key = action.form if isinstance(action, Submit) else (element.form if element else "")
    return next((form for form in forms_of(state) if form.key == key), None) if key else None


def _entry(element: Element) -> bool:
    return bool(element.field) and element.kind != "hidden" and (element.editable or bool(element.options))

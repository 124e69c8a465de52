"""The contexts that templates are rendered with: one Record per template, whose fields are exactly the
template's variables.
"""

from __future__ import annotations

from schemas.record import Record


class Said(Record):
    """One parameter as an instruction puts it."""

    label: str
    """The field's label as the App displays it."""
    text: str
    """The value, word for word."""
    plain: bool
    """Whether it can stand without quotation marks: a number, a date, an address, one capitalised word."""
    sought: bool
    """Whether it is what is searched for, which says itself."""


class WriterContext(Record):
    """For ``writer``: a TaskPlan shown to a model that is to put it into words."""

    effect: str
    """Value of the EffectClass."""
    action: str
    """The App's own words for what is done, where they are an imperative ("Add a bill"); else empty."""
    control: str
    """The label of what is pressed, where it is not the action and says more than the effect's verb."""
    place: str
    """The App's name of the screen where it is done or, for a mere visit, that it leads to."""
    entity: str
    """Displayed text of the one item that is meant, or what a new one is called; else empty."""
    fields: tuple[Said, ...]


class InstructionContext(WriterContext):
    """For ``instruction``: the same, put into words by the template itself."""

    variant: int
    """Which of the equivalent wordings to choose: any number from 0."""

"""A Task is an instruction with a start, parameters and Keypoints; a TaskPlan is a Task without words."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from schemas.action import Action
from schemas.capability import ParameterKind, Slot
from schemas.effect import EffectClass
from schemas.record import Record


class Tier(StrEnum):
    """How much a Task asks for."""

    SINGLE = "single"
    MULTI = "multi"
    WORKFLOW = "workflow"


class Visited(Record):
    """A screen was reached: some observation after the first (the last one if ``final``) has this
    structure or, where the structure varies with data, this route.
    """

    kind: Literal["visited"] = "visited"
    id: str
    route: str
    structure: str
    final: bool = True


class Happened(Record):
    """A change was made behind the screen exactly ``count`` times since the initial state."""

    kind: Literal["effect"] = "effect"
    id: str
    signature: str
    """``Request.signature``, ``StorageWrite.signature`` or ``download ROUTE``."""
    count: int = 1
    path: str = ""
    """Concrete path that must have been called; empty where only the route matters."""


class Carried(Record):
    """A parameter's value was in the request (or storage write) that made the change."""

    kind: Literal["parameter"] = "parameter"
    id: str
    signature: str
    field: str
    value: str


class Shown(Record):
    """Delta on the screen: ``text`` is displayed more often (or, if not ``present``, less often) in the
    last observation than in the first.
    """

    kind: Literal["entity"] = "entity"
    id: str
    text: str
    present: bool = True


class ElementIs(Record):
    """An element's state in the last observation, different from the first."""

    kind: Literal["element"] = "element"
    id: str
    key: str
    attribute: Literal["checked", "value", "present", "selected"]
    value: str
    """``true``/``false`` for checked and present, else text."""


class Ordered(Record):
    """One keypoint was met before another."""

    kind: Literal["order"] = "order"
    id: str
    first: str
    second: str


class Forbidden(Record):
    """The side-effect budget: no write behind the screen other than the allowed ones."""

    kind: Literal["forbidden"] = "forbidden"
    id: str
    allowed: tuple[str, ...]
    """Signatures, each as often as it may happen."""


class Answered(Record):
    """The final answer equals a value that is on the screen."""

    kind: Literal["answer"] = "answer"
    id: str
    value: str
    answer_kind: Literal["string", "number", "date", "list", "bool"] = "string"


Keypoint = Annotated[
    Visited | Happened | Carried | Shown | ElementIs | Ordered | Forbidden | Answered,
    Field(discriminator="kind"),
]


class Value(Record):
    """A parameter with its value."""

    name: str
    label: str
    kind: ParameterKind
    value: str
    """As it is submitted."""
    shown: str
    """As a person would say it: an option's label, a text as it is."""


class Asset(Record):
    """A file that the Task needs."""

    name: str
    content: str


class NearMiss(Record):
    """An execution that looks like the Task and must fail its verifier."""

    kind: Literal[
        "wrong_entity",
        "wrong_parameter",
        "wrong_function",
        "half_done",
        "undone",
        "done_twice",
        "side_effect",
    ]
    detail: str
    path: tuple[Action, ...]


class TaskPlan(Record):
    """What is to be done and how it is checked, before anyone has put it into words."""

    id: str
    """``pl_`` + hash of App, Capability ids, values and language."""
    group: str
    """``tg_`` + hash of App, Capability ids and the values' meaning: the same in every language."""
    app: str
    app_id: str
    lang: str
    tier: Tier = Tier.SINGLE
    capabilities: tuple[str, ...]
    effect: EffectClass
    verb: str
    object: str
    name: str
    """Name of the Capability, in the crawled language."""
    title: str = ""
    """Displayed title of the screen it ends in."""
    page: str = ""
    """The same of the screen on which its last step is done."""
    entity: str = ""
    """Displayed text of the item acted on."""
    values: tuple[Value, ...] = ()
    labels: tuple[str, ...] = ()
    """The App's own words along the path."""
    path: tuple[Action, ...]
    """The reference path: primitives from the App's entry; without the terminal Finish."""
    slots: tuple[Slot, ...] = ()
    keypoints: tuple[Keypoint, ...]
    near_misses: tuple[NearMiss, ...] = ()
    assets: tuple[Asset, ...] = ()
    root: str
    """Id of the State that every execution starts in."""


class Span(Record):
    """A stretch of the instruction and what it is grounded in (character offsets, half open)."""

    start: int
    end: int
    source: Literal["label", "value", "entity", "verb", "title"]
    of: str
    """Which label, parameter or verb."""


class Instruction(Record):
    """The words, and who found them."""

    text: str
    writer: Literal["template", "model"]
    model: str = ""
    """Model name, when a model wrote it."""
    prompt: str = ""
    """Content hash of the prompt template or of the template that was filled."""
    tries: int = 1
    spans: tuple[Span, ...] = ()


class Task(Record):
    """A TaskPlan in words."""

    id: str
    """``tk_`` + hash of the plan's id and the instruction's text."""
    plan: TaskPlan
    instruction: Instruction

"""A Capability is something a user can get done: a path in the FunctionGraph that ends in an Effect.

Capabilities form a tree (capability → sub-capability → atomic). Only atomic ones own a path, and their
ids are free of language: the same capability crawled in two languages has one id.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from schemas.action import Action, Target
from schemas.effect import Delta, EffectClass
from schemas.graph import Risk
from schemas.record import Record


class Level(StrEnum):
    """Depth in the capability tree."""

    CAPABILITY = "capability"
    SUB = "sub_capability"
    ATOMIC = "atomic"


class ParameterKind(StrEnum):
    """What a parameter accepts."""

    TEXT = "text"
    LONG_TEXT = "long_text"
    NAME = "name"
    EMAIL = "email"
    URL = "url"
    NUMBER = "number"
    AMOUNT = "amount"
    DATE = "date"
    TIME = "time"
    CHOICE = "choice"
    FLAG = "flag"
    PASSWORD = "password"  # noqa: S105 - a kind of field
    QUERY = "query"
    ENTITY = "entity"
    """An existing item, named by its text on the screen."""
    FILE = "file"


class Choice(Record):
    """One allowed value: how it is submitted and how it is displayed."""

    value: str
    label: str


class Parameter(Record):
    """One typed value that a Capability needs."""

    name: str
    """Submitted field name, or ``entity``."""
    label: str
    """As displayed in the crawled language."""
    kind: ParameterKind
    required: bool = False
    choices: tuple[Choice, ...] = ()
    limits: str = ""
    """As in ``Element.limits``."""
    preset: str = ""
    """The value found in the field before anything was typed."""
    accepted: tuple[str, ...] = ()
    """Values that the App was seen to take."""
    refused: tuple[str, ...] = ()
    """Values that the App was seen to refuse."""
    echoed: bool = False
    """Whether the value was displayed on the screen that the Capability ended in, and not before."""
    carried: str = ""
    """Field under which the request (or the key of the storage write) was seen to hold the value; empty
    when it was not."""


class Slot(Record):
    """Which step of a path carries which parameter."""

    parameter: str
    step: int


class Flip(Record):
    """An element whose state differs between the root State and the one a Variant ended in."""

    key: str
    attribute: Literal["checked", "value", "present", "selected"]
    value: str
    """``true``/``false`` for checked and present, else text."""
    parameter: str = ""
    """Parameter whose value it then holds; empty where the value is always the same."""


class Variant(Record):
    """One concrete way to the same Capability: for another entity of the same kind, say."""

    entity: str = ""
    """Displayed text of the item it acts on; empty where the Capability has no entity."""
    path: tuple[Action, ...]
    """Primitive Actions from the root State; the last one makes the Effect."""
    slots: tuple[Slot, ...] = ()
    states: tuple[str, ...] = ()
    """Ids of the crawled States before each step that has one (compound steps share theirs)."""
    signatures: tuple[str, ...] = ()
    """Signatures of all writes along the path, in order (``Request.signature``,
    ``StorageWrite.signature``); these and no others belong to the Capability."""
    target_path: str = ""
    """Concrete path of the last request (it carries the entity's id), else empty."""
    told: tuple[tuple[str, str], ...] = ()
    """Fields of the last request that nobody typed and that tell this Variant from others: hidden fields
    of the item, or the query where only what is displayed changes."""
    delta: Delta = Delta()
    """How the State it was seen to end in differs from the root State; empty when it was inferred from
    the same control of another item."""
    flips: tuple[Flip, ...] = ()
    """What tells the end from the root State on the screen itself."""
    undo: tuple[Action, ...] = ()
    """Steps on the screen that it was seen to end on which take it back: they press the controls of the
    item that it made, whose text holds the values that were entered."""


class Capability(Record):
    """One node of an App's capability tree, in one language."""

    id: str
    """``fn_`` + hash of App and signature; the same in every language."""
    app: str
    lang: str
    parent: str = ""
    level: Level
    name: str
    """Short name in the crawled language, from the App's own labels."""
    description: str = ""
    """One line in the crawled language: what changes, where, and the parameters' labels."""
    verb: str = ""
    """English verb that the Effect's class implies (create, open, delete …)."""
    object: str = ""
    """Displayed noun phrase, from labels and headings."""
    effect: EffectClass = EffectClass.NONE
    signature: str = ""
    """Free of language: ``POST /demo/add``, ``GET /demo/statistics``, ``local todos`` or ``ui sc_…``."""
    parameters: tuple[Parameter, ...] = ()
    variants: tuple[Variant, ...] = ()
    """At least one for an atomic Capability; the first is the reference."""
    labels: tuple[str, ...] = ()
    """Displayed labels along the path, in order: the words that an instruction may use."""
    control: Target | None = None
    """What is finally pressed."""
    ends_in: str = ""
    """Structure of the State it ends in."""
    ends_at: str = ""
    """Route of the State it ends in."""
    title: str = ""
    """Displayed title or main heading of the State it ends in."""
    page: str = ""
    """The same of the State on which its last step is done."""
    inverse: str = ""
    """Id of a Capability that takes it back, when one was observed."""
    risk: Risk = Risk.NONE
    evidence: tuple[str, ...] = ()
    """Ids of the Transitions that show it."""
    source: Literal["crawl", "docs", "llm_hypothesis"] = "crawl"


class CapabilityTree(Record):
    """All Capabilities of one App in one language, parents before children."""

    app: str
    app_id: str
    lang: str
    root: str
    """Id of the root State of the graph it was mined from."""
    entry: str
    """Address of that State."""
    start: str = ""
    """Route of that State."""
    lines: tuple[str, ...] = ()
    """Everything that State displays (``State.texts``)."""
    nodes: tuple[Capability, ...]

    @property
    def atomic(self) -> tuple[Capability, ...]:
        """The nodes that can be executed."""
        return tuple(node for node in self.nodes if node.level is Level.ATOMIC)

    @property
    def id(self) -> str:
        """One tree per App and language."""
        return f"{self.app_id}.{self.lang}"

"""Rows of the tables that describe the world: Apps, what was crawled of them, and what they can do.

A row is one line of one Parquet table. Rows are flat where a query filters and nested where a value only
makes sense as a whole; free forms are JSON text in ``*_json``. No row holds a clock, so the same content
gives the same bytes.
"""

from __future__ import annotations

from schemas.action import Action, Drag
from schemas.app import Platform
from schemas.capability import Level, Parameter
from schemas.effect import EffectClass, Outcome
from schemas.graph import Risk, Untried
from schemas.record import Record
from schemas.screen import Box, Locator, Option, Quality

ActionKind = str
"""``kind`` of the action union; a plain string in Parquet so that a new kind is no new layout."""


class ActionCell(Record):
    """An Action as one struct: the union's fields merged, those of other kinds null. ``x`` and ``y`` are
    pixels of the stored image before the action; ``action_json`` beside it keeps the Action as it was.
    """

    kind: ActionKind
    x: int | None = None
    y: int | None = None
    target_key: str | None = None
    target_role: str | None = None
    target_label: str | None = None
    target_item: str | None = None
    onto: str | None = None
    """Key of the element on which something dragged is let go."""
    address: str | None = None
    button: str | None = None
    count: int | None = None
    text: str | None = None
    clear_before: bool | None = None
    submit_after: bool | None = None
    value: str | None = None
    label: str | None = None
    checked: bool | None = None
    asset: str | None = None
    content: str | None = None
    keys: tuple[str, ...] | None = None
    reveal: str | None = None
    """The side whose content comes into view, never the way a finger moves."""
    pixels: int | None = None
    ms: int | None = None
    accept: bool | None = None
    status: str | None = None
    answer: str | None = None
    form: str | None = None
    variant: str | None = None

    @classmethod
    def of(cls, action: Action, point: tuple[int, int] | None = None) -> ActionCell:
        """The cell for an action and the pixel it touched, if any."""
        plain = action.model_dump(exclude={"target", "onto", "fields", "submit"})
        target = getattr(action, "target", None) or getattr(action, "submit", None)
        if target is not None:
            plain |= {f"target_{name}": getattr(target, name) for name in ("key", "role", "label", "item")}
        if isinstance(action, Drag):
            plain["onto"] = action.onto.key
        if point is not None:
            plain |= {"x": point[0], "y": point[1]}
        return cls(**plain)


class AppRow(Record):
    """One target."""

    app_id: str
    name: str
    title: str
    platform: Platform
    version: str
    licence_spdx: str
    homepage: str
    category: str
    description: str
    langs: tuple[str, ...]
    """BCP-47 tags that were crawled in this run."""
    locale_codes: dict[str, str]
    """BCP-47 tag → the App's own code, for every language it may be crawled in."""
    entry: str
    login_required: bool
    resettable: bool
    clock: str
    """The frozen wall clock that the App saw."""
    recipe_hash: str
    """Hash of the whole recipe."""


class CrawlRow(Record):
    """What the exploration of one App in one language reached."""

    app_id: str
    lang: str
    platform: Platform
    root_state_id: str
    states: int
    structures: int
    transitions: int
    actions: int
    """Actions performed, walks back to a frontier included."""
    clickables: int
    clickables_tried: int
    forms: int
    forms_tried: int
    resets: int
    page_loads: int
    sessions_lost: int
    routes: tuple[str, ...]
    """``METHOD /template`` of every request to the App's own server."""
    routes_reached: int | None
    """Of ``routes_known``, those that a request reached; null where that is."""
    routes_known: int | None
    """Routes that the App lists itself and that a user can come to; null where it lists none."""
    lines: int | None
    """Lines of the App's own Python code that ran on its server, beyond those that starting it runs; null
    where they were not counted or the App is no Python program that was installed by us."""
    statements: int | None
    """Statements in the files of which at least one line ran; null where ``lines`` is."""
    untried: tuple[Untried, ...]


class ImageRow(Record):
    """One screenshot, byte for byte as captured."""

    image_id: str
    """sha256 of ``bytes``."""
    media_type: str
    width_px: int
    height_px: int
    byte_len: int
    bytes: bytes


class StateRow(Record):
    """One observed screen; where it was seen more than once, as it was seen first."""

    state_id: str
    app_id: str
    platform: Platform
    lang: str
    structure: str
    image_id: str | None
    address: str
    route: str
    title: str
    width_px: int
    height_px: int
    scale: float
    dialog_kind: str | None
    dialog_message: str | None
    quality: Quality
    http_status: int
    element_count: int


class StateDumpRow(Record):
    """The whole element tree of a State, for those who want more than the elements table."""

    state_id: str
    kind: str
    """``elements_json``: a JSON list of Elements, parents before children."""
    payload: str
    payload_sha256: str


class ElementRow(Record):
    """One control or text on a State that shows something (a blank screen has no rows here)."""

    state_id: str
    ordinal: int
    """Position in the State; ``parent`` refers to it."""
    platform: Platform
    lang: str
    parent: int | None
    key: str
    """Names the same control on every visit and in every language."""
    template: str
    role: str
    raw_class: str
    name: str
    text: str
    value: str
    placeholder: str
    box: Box | None
    clickable: bool
    editable: bool
    checkable: bool
    checked: bool
    enabled: bool
    focused: bool
    password: bool
    scrollable: bool
    visible: bool
    occluded: bool
    required: bool
    kind: str
    limits: str
    field: str
    form: str
    href: str
    item: str
    options: tuple[Option, ...]
    frame: tuple[str, ...]
    locators: tuple[Locator, ...]


class EdgeRow(Record):
    """One Transition of the functionality graph."""

    edge_id: str
    app_id: str
    platform: Platform
    lang: str
    src_state_id: str
    dst_state_id: str
    src_structure: str
    dst_structure: str
    action: ActionCell
    action_json: str
    target_box: Box | None
    effect: EffectClass
    """The most telling class."""
    effects: tuple[EffectClass, ...]
    outcome: Outcome
    side_effects: tuple[str, ...]
    """Signatures of everything written behind the screen, in order."""
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]
    evidence_json: str
    risk: Risk
    clean: bool
    """Whether the App's data was pristine before it."""


class FunctionRow(Record):
    """One node of a capability tree in one language. Ids are free of language."""

    function_id: str
    lang: str
    app_id: str
    platform: Platform
    parent_id: str | None
    level: Level
    name: str
    description: str
    verb: str
    object: str
    effect: EffectClass
    signature: str
    params: tuple[Parameter, ...]
    entities: tuple[str, ...]
    """Displayed text of the items it was seen to act on."""
    labels: tuple[str, ...]
    min_steps: int | None
    """Length of the reference path; null where the node owns none."""
    path_json: str | None
    """The reference path: a JSON list of Actions."""
    side_effects: tuple[str, ...]
    ends_in: str
    ends_at: str
    title: str
    inverse_id: str | None
    risk: Risk
    evidence_edge_ids: tuple[str, ...]
    source: str

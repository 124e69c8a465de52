"""The raw walk: the JSON that ``page/walk.js`` returns, in types. Absent fields are false or empty."""

from __future__ import annotations

from typing import TypedDict


class Sealed(TypedDict):
    """Where the document of a frame is displayed, in CSS pixels of the viewport."""

    at: str
    """Selector of the frame."""
    corner: list[float]
    """Left and top of the document, displayed or not."""
    edges: list[float]
    """Left, top, right and bottom of what is displayed of it."""


class RawNode(TypedDict, total=False):
    """One kept node, in document order; ``p`` and ``group`` are indexes into the same list."""

    role: str
    tag: str
    p: int
    """Nearest kept ancestor; -1 at the top."""
    id: str
    """``data-testid`` or ``id``."""
    anchor: str
    """Id of the nearest ancestor that was not kept itself."""
    level: int
    """Of a heading."""
    name: str
    text: str
    value: str
    hint: str
    """Placeholder."""
    box: list[float]
    """Left, top, right, bottom in CSS pixels of the viewport; absent when not drawn."""
    hidden: bool
    covered: bool
    press: bool
    edit: bool
    check: bool
    """Present on what can be checked: whether it is."""
    chosen: bool
    """Present on options and tabs: whether it is selected."""
    live: bool
    """Its text changes by itself."""
    off: bool
    """Disabled, read-only or without pointer events."""
    secret: bool
    focus: bool
    scrolls: bool
    required: bool
    kind: str
    limits: str
    options: list[tuple[str, str, bool]]
    """Value, label, selected."""
    field: str
    """``name`` attribute."""
    group: int
    """Form, or container of loose fields; -1 when it is not displayed."""
    href: str
    plain: bool
    """A link that no script listens to and that carries no attributes for scripts."""
    trail: bool
    """A link of a trail of pages ("you are here")."""
    sends: str
    """Where a form sends to, as written."""
    names: list[str]
    """Sorted names of all fields of a form, displayed or not."""
    aim: str
    """Id or selector of what the control opens."""
    item: str
    """On entries of a repeated list: their text."""
    frame: list[str]
    css: list[str]
    at: str
    """Where it stands, as XPath or, inside shadow trees, as CSS path."""
    sealed: Sealed
    """On a frame that another pane must read."""
    number: int
    """Its number in its own pane; absent in a walk as it comes, where it is the index."""


class RawPage(TypedDict):
    """One walk."""

    url: str
    title: str
    width: int
    height: int
    scale: float
    frames: int
    """Frames that could not be read."""
    canvas: float
    """CSS pixels covered by canvases."""
    walls: list[str]
    """Sources of human-verification widgets."""
    capped: bool
    banner: bool
    """Whether a banner that asks for consent stands before it, and cannot be answered as was chosen."""
    nodes: list[RawNode]

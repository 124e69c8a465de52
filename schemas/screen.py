"""A State is one observed screen; an Element is one control or text on it."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from schemas.record import Record


class Box(Record):
    """A rectangle in pixels of the stored image, half open: x1 <= x < x2, y1 <= y < y2."""

    x1: int
    y1: int
    x2: int
    y2: int

    @property
    def area(self) -> int:
        """Pixels covered; 0 when the box is empty."""
        return max(0, self.x2 - self.x1) * max(0, self.y2 - self.y1)

    @property
    def centre(self) -> tuple[int, int]:
        """The pixel in the middle, inside the box whenever the box is not empty."""
        return (self.x1 + self.x2) // 2, (self.y1 + self.y2) // 2

    def holds(self, x: int, y: int) -> bool:
        """Whether the pixel lies inside."""
        return self.x1 <= x < self.x2 and self.y1 <= y < self.y2


class Locator(Record):
    """One way to find an Element again in a live screen."""

    kind: Literal["css", "role", "text", "xpath", "id"]
    value: str
    unique: bool = True
    """Whether it named exactly one element when the screen was captured."""


class Option(Record):
    """One choice of a select, a radio group or a combo box."""

    value: str
    label: str
    selected: bool = False


class Element(Record):
    """One control or piece of text on a screen.

    ``key`` names the same control on every visit and in every language, so it is made of structure
    (role, ids, names, link targets, position among its like), never of displayed text.
    """

    key: str
    template: str
    """``key`` without the position in a repeated list: all "Delete" buttons of a table share it."""
    parent: int = -1
    """Index of the parent in ``State.elements``; -1 at the top. Parents come before their children."""
    role: str
    """ARIA role in lower case; ``text`` for plain text."""
    tag: str = ""
    """The platform's own class (HTML tag, Android widget class, toolkit role)."""
    name: str = ""
    """Accessible name as displayed."""
    text: str = ""
    """Own visible text, when it is not the name."""
    value: str = ""
    """Current value of an input; empty for passwords."""
    placeholder: str = ""
    box: Box | None = None
    """Where it is in the stored image, clipped to it; None when it is not drawn."""
    clickable: bool = False
    editable: bool = False
    checkable: bool = False
    checked: bool = False
    enabled: bool = True
    focused: bool = False
    password: bool = False
    scrollable: bool = False
    visible: bool = True
    occluded: bool = False
    """Another element covers its centre."""
    live: bool = False
    """Its text changes by itself: a ticking counter, say."""
    required: bool = False
    kind: str = ""
    """Input type (``text email number date file …``), for editable elements."""
    limits: str = ""
    """min, max, step, maxlength and pattern as ``name=value`` joined by ``;``."""
    field: str = ""
    """The name under which the control is submitted."""
    form: str = ""
    """Key of the form it belongs to."""
    href: str = ""
    """Where a link leads: path, query and fragment when inside the App, else the whole URL."""
    options: tuple[Option, ...] = ()
    item: str = ""
    """Text of the repeated item (table row, list entry, card) around it, which tells it from its like."""
    frame: tuple[str, ...] = ()
    """Selectors of the frames it lies in, outermost first."""
    locators: tuple[Locator, ...] = ()
    """Best first."""

    @property
    def label(self) -> str:
        """What a person would call it: name, else text, else placeholder."""
        return self.name or self.text or self.placeholder

    @property
    def pressable(self) -> bool:
        """Whether it takes a click where it is displayed: neither disabled nor covered."""
        return self.visible and self.enabled and not self.occluded


class Quality(StrEnum):
    """How far a captured screen can be trusted."""

    OK = "ok"
    PARTIAL = "partial_tree"
    """A frame could not be read, a large picture is drawn by a script, or a banner stands before the rest."""
    UNSETTLED = "unsettled"
    """It still changed when the cap on waiting was reached."""
    TREE_MISSING = "tree_missing"
    """The image is rich and the tree is empty: "not present" may not be concluded from it."""
    BLANK = "blank"
    ERROR = "error"
    """The App answered with an error page."""
    WALL = "wall"
    """A human-verification wall; recorded and left alone."""


class Dialog(Record):
    """A native dialog that stands in front of a screen."""

    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str
    default: str = ""


class State(Record):
    """One observed screen. Two identities: ``structure`` says "same screen", ``id`` adds "same data"."""

    id: str
    """``st_`` + hash of App, language and everything displayed, volatile text left out."""
    structure: str
    """``sc_`` + hash of roles, keys and tree with repeated items collapsed; no displayed text."""
    app: str
    lang: str
    address: str
    """URL path and query, or the activity or window of this visit; it begins with a slash where opening it
    leads back here."""
    route: str
    """``address`` as a template: ids and tokens replaced by ``{}``."""
    title: str = ""
    elements: tuple[Element, ...] = ()
    width: int
    height: int
    """Size of the stored image in pixels."""
    scale: float = 1.0
    """Image pixels per CSS pixel (or dp)."""
    dialog: Dialog | None = None
    quality: Quality = Quality.OK
    status: int = 0
    """HTTP status of the document, 0 where there is none."""
    image: str | None = None
    """Id of the screenshot, when one was kept."""

    def find(self, key: str) -> Element | None:
        """The element with that key, or None."""
        return next((element for element in self.elements if element.key == key), None)

    def texts(self) -> tuple[str, ...]:
        """Every displayed line in order: names, texts and values of visible elements."""
        lines = (
            line
            for element in self.elements
            if element.visible
            for line in (element.name, element.text, element.value)
        )
        return tuple(line for line in lines if line)

"""What is read from a running program before it is understood: plain facts, kept as JSON by the tests."""

from __future__ import annotations

from schemas.record import Record

Extents = tuple[int, int, int, int]
"""x, y, width, height in pixels."""


class RawNode(Record):
    """One accessible object."""

    parent: int
    """Index in ``RawScreen.nodes``; -1 for a top-level window. Parents come before their children."""
    owner: str = ""
    path: str = ""
    """Bus name and object path, for acting on it; they name the object for as long as that lives."""
    role: str
    """Name of the AT-SPI role."""
    name: str = ""
    description: str = ""
    states: int = 0
    """Bits of ``crawlers.desktop.roles.State``."""
    interfaces: frozenset[str] = frozenset()
    """Last part of each: ``Action``, ``Text`` …"""
    extents: Extents | None = None
    """As reported, in what the toolkit believes to be pixels of the screen; None where it was not asked."""
    actions: tuple[str, ...] = ()
    """Names that are the same in every language, by index."""
    text: str | None = None
    value: float | None = None
    limits: tuple[float, float] | None = None
    columns: int = 0
    """Columns of a table."""
    labelled_by: str = ""
    """Path of the object of the same process that names it."""
    kind: str = ""
    """What its kind is called in the program's language, for text fields without a name."""
    broken: bool = False
    """Whether something about it could not be read."""


class RawWindow(Record):
    """One window of the X server."""

    number: int
    pid: int
    title: str
    extents: Extents
    """Of the surface that the program draws, without the window manager's frame."""
    shadow: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Left, right, top, bottom: pixels of the surface that only hold a shadow."""
    popup: bool = False
    """Whether no window manager looks after it: menus, tooltips."""


class RawScreen(Record):
    """Everything that was read of one program, and the windows of the screen it is on."""

    program: str = ""
    """Its name among several; empty for the only one of a session."""
    pids: frozenset[int] = frozenset()
    """Processes that its windows are of; empty where all windows are its own."""
    toolkit: str
    version: str
    nodes: tuple[RawNode, ...]
    windows: tuple[RawWindow, ...]
    """From the bottom to the top."""
    width: int
    height: int
    partial: bool = False
    """Whether a part of the tree could not be read."""
    reads: int = 1
    """Reads until the tree had stopped growing."""

    def owns(self, window: RawWindow) -> bool:
        """Whether a window is the program's; one that does not say whose it is may be."""
        return not (self.pids and window.pid) or window.pid in self.pids

    @property
    def managed(self) -> tuple[RawWindow, ...]:
        """The program's windows that the window manager looks after."""
        return tuple(each for each in self.windows if not each.popup and self.owns(each))

    @property
    def popups(self) -> tuple[RawWindow, ...]:
        """The program's other windows."""
        return tuple(each for each in self.windows if each.popup and self.owns(each))

    @property
    def minimized(self) -> bool:
        """Whether no window of the program is drawn; its tree does not tell."""
        return not self.managed

    @property
    def pops_up(self) -> bool:
        """Whether a popup of the program is drawn: some are a pixel that nobody sees."""
        return any(min(each.extents[2:]) > 1 for each in self.popups)

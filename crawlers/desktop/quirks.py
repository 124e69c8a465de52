"""What is special about each toolkit, with the reason. The one place where toolkits are told apart."""

from __future__ import annotations

from dataclasses import dataclass, field

from crawlers.desktop.roles import State, has

_GTK3_ENV = {"GTK_MODULES": "gail:atk-bridge"}


@dataclass(frozen=True)
class Quirks:
    """How a toolkit departs from what AT-SPI promises."""

    reason: str
    """Why, for every row of the table."""
    cached: bool = True
    """Whether ``Cache.GetItems`` may be believed in what it says of each object. What it says of their order
    may not be: GTK 3 numbers scroll bars anew."""
    gathers: bool = False
    """Whether ``Properties.GetAll`` answers with all of an object's properties, and does no harm."""
    shows: bool = True
    """Whether SHOWING is set on everything that is drawn, not on windows alone."""
    on_screen: bool = True
    """Whether extents are relative to the screen, not to the window."""
    echoes: bool = False
    """Whether a name may be said twice ("7 7") or be the class of the widget ("GtkButton")."""
    popups_closed: bool = False
    """Whether items of closed menus have extents that look drawn."""
    late: bool = False
    """Whether the tree is on the bus before it is whole."""
    environment: dict[str, str] = field(default_factory=dict)
    """Variables without which nothing can be read."""

    def may_be_drawn(self, states: int) -> bool:
        """What an object says of itself; what holds it may be hidden all the same."""
        return has(states, State.SHOWING if self.shows else State.VISIBLE)


_QT5 = Quirks(
    reason=(
        "Qt 5.15 answers Cache.GetItems with an empty list and dies of Properties.GetAll on Accessible (which"
        " is therefore never called, on any toolkit); closed menus have extents relative to nothing"
    ),
    cached=False,
    popups_closed=True,
    environment={
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "QT_ACCESSIBILITY": "1",
        "QT_QPA_PLATFORM": "xcb",
        "QT_STYLE_OVERRIDE": "Fusion",
    },
)

QUIRKS = {
    "gtk2": Quirks(
        reason="GTK 2 speaks through GAIL alone, which has to be loaded as a module",
        gathers=True,
        environment=_GTK3_ENV,
    ),
    "gtk3": Quirks(
        reason=(
            "GTK 3 answers Cache.GetItems only once somebody has registered for events; items of closed menus"
            " are there with extents of INT_MIN and no SHOWING"
        ),
        gathers=True,
        environment={"GTK_OVERLAY_SCROLLING": "0"},
    ),
    "gtk4": Quirks(
        reason=(
            "GTK 4.8 sets SHOWING on windows alone, measures extents from the window's corner, repeats names"
            " and gives class names for names; its tree is on the bus before the widgets are"
        ),
        gathers=True,
        shows=False,
        on_screen=False,
        echoes=True,
        late=True,
        environment={"GTK_A11Y": "atspi", "GSK_RENDERER": "cairo"},
    ),
    "qt5": _QT5,
    "qt6": _QT5,
    "vcl": Quirks(
        reason="LibreOffice draws through GTK 3 only where its plugin is named, and starts without a splash",
        cached=False,
        gathers=True,
        environment={"SAL_USE_VCLPLUGIN": "gtk3", "SAL_DISABLE_OPENCL": "1"},
    ),
}
"""By the name that recipes use."""

UNKNOWN = Quirks(reason="nothing is known of it, so nothing is taken for granted", cached=False)


def quirks_of(toolkit: str, version: str) -> Quirks:
    """The row for what a program says of itself: ``ToolkitName`` and ``Version`` of its Application."""
    name, major = toolkit.lower(), version.partition(".")[0]
    if name in {"gtk", "gail"}:
        return QUIRKS.get(f"gtk{major}", UNKNOWN)
    if name == "qt":
        return QUIRKS.get(f"qt{major}", UNKNOWN)
    return QUIRKS["vcl"] if name == "vcl" else UNKNOWN

"""Details of one drawn object: where it is, what it holds, what can be done to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Protocol

from crawlers.desktop.link import ATSPI, CallError, Link
from crawlers.desktop.raw import Extents
from crawlers.desktop.roles import State, has

LONGEST = 2000
"""Characters read of a text."""
MOST_ACTIONS = 6
SCREEN = 0
"""AT-SPI's number for coordinates of the screen."""
LABELLED_BY = 2
"""AT-SPI's number for that relation."""

_READ = frozenset(
    {
        *("text", "entry", "password_text", "terminal", "spin_button", "combo_box", "paragraph", "editbar"),
        *("document_text", "autocomplete", "date_editor", "table_cell", "status_bar", "section", "label"),
        *("row_header", "column_header", "heading", "link"),
    }
)
"""Roles whose text may say what their name does not."""
_MEASURED = frozenset({"spin_button", "slider", "progress_bar", "dial", "level_bar"})
_FIELDS = frozenset(
    {"text", "entry", "password_text", "spin_button", "combo_box", "slider", "push_button", "toggle_button"}
)
"""What is often named by a label beside it."""
_TEXTS = frozenset({"text", "entry"})
"""Fields that a person calls by their kind where nothing else names them: the text of an editor."""
_INERT = frozenset({"label", "static", "image", "separator", "filler", "scroll_bar", "viewport"})
"""What offers nothing, though GTK 4 lets every label be copied and pasted."""


@dataclass(frozen=True)
class Details:
    """What was found out; defaults stand for what was not asked."""

    extents: Extents | None = None
    actions: tuple[str, ...] = ()
    text: str | None = None
    value: float | None = None
    limits: tuple[float, float] | None = None
    columns: int = 0
    labelled_by: str = ""
    kind: str = ""
    broken: bool = False


class Known(Protocol):
    """What must be known of an object before."""

    role: str
    name: str
    states: int
    interfaces: frozenset[str]


async def details_of(link: Link, name: str, path: str, known: Known) -> Details:
    """Ask for what the object's role and interfaces promise, all at once; what fails stays unknown."""
    asks = {
        "extents": _extents(link, name, path) if "Component" in known.interfaces else None,
        "actions": _actions(link, name, path)
        if "Action" in known.interfaces and known.role not in _INERT
        else None,
        "text": _text(link, name, path) if "Text" in known.interfaces and _reads(known) else None,
        "value": _value(link, name, path) if known.role in _MEASURED else None,
        "columns": link.get(name, path, "Table", "NColumns") if "Table" in known.interfaces else None,
        "labelled_by": _label(link, name, path) if _nameless(known) else None,
        "kind": _kind(link, name, path) if _nameless(known) and known.role in _TEXTS else None,
    }
    wanted = {key: ask for key, ask in asks.items() if ask is not None}
    answers = await asyncio.gather(*wanted.values(), return_exceptions=True)
    late = next((each for each in answers if isinstance(each, CallError) and each.kind == "late"), None)
    if late is not None:
        raise late
    found: dict[str, Any] = {
        key: answer
        for key, answer in zip(wanted, answers, strict=True)
        if not isinstance(answer, BaseException)
    }
    found["value"], found["limits"] = found.get("value") or (None, None)
    return Details(**found)


def _reads(known: Known) -> bool:
    return known.role in _READ or has(known.states, State.EDITABLE)


def _nameless(known: Known) -> bool:
    return known.role in _FIELDS and not known.name.strip()


async def _extents(link: Link, name: str, path: str) -> Extents:
    answer = await link.call(name, path, ATSPI + "Component", "GetExtents", "u", [SCREEN])
    x, y, width, height = answer[0]
    return (x, y, width, height)


async def _actions(link: Link, name: str, path: str) -> tuple[str, ...]:
    """Names as the program's source spells them: ``GetActions`` would translate them."""
    count = min(int(await link.get(name, path, "Action", "NActions")), MOST_ACTIONS)
    asks = (link.call(name, path, ATSPI + "Action", "GetName", "i", [at]) for at in range(count))
    return tuple(str(answer[0]) for answer in await asyncio.gather(*asks))


async def _text(link: Link, name: str, path: str) -> str:
    count = int(await link.get(name, path, "Text", "CharacterCount"))
    if count <= 0:
        return ""
    answer = await link.call(name, path, ATSPI + "Text", "GetText", "ii", [0, min(count, LONGEST)])
    return str(answer[0])


async def _value(link: Link, name: str, path: str) -> tuple[float, tuple[float, float]]:
    now, low, high = await asyncio.gather(
        link.get(name, path, "Value", "CurrentValue"),
        link.get(name, path, "Value", "MinimumValue"),
        link.get(name, path, "Value", "MaximumValue"),
    )
    return float(now), (float(low), float(high))


async def _label(link: Link, name: str, path: str) -> str:
    answer = await link.call(name, path, ATSPI + "Accessible", "GetRelationSet")
    return next((objects[0][1] for relation, objects in answer[0] if relation == LABELLED_BY and objects), "")


async def _kind(link: Link, name: str, path: str) -> str:
    """What the toolkit calls objects of that kind, in the program's language."""
    answer = await link.call(name, path, ATSPI + "Accessible", "GetLocalizedRoleName")
    return str(answer[0])

"""What belongs together on a screen: entries of lists, fields of dialogs that are sent as one, and the
folders that a file chooser leads to.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from schemas.screen import Element

DIALOGS = frozenset({"dialog", "alertdialog"})
_FORM_FIELDS = frozenset({"textbox", "checkbox", "combobox", "spinbutton"})
NAMED_FILES = "file_chooser"
"""A dialog that asks for one thing, a name; all else on it only moves about."""
_FOLDER = "file:"
"""Where a place in a file chooser leads: out of the program, into the machine that it happens to run on."""


def with_items(elements: list[Element]) -> list[Element]:
    """Every entry of a list with its text, which what lies in it shares."""
    texts: dict[str, list[str]] = {}
    rows = [_row(elements, index) for index in range(len(elements))]
    for element, row in zip(elements, rows, strict=True):
        if row and element.label:
            texts.setdefault(row, []).append(element.label)
    return [
        element.model_copy(update={"item": " ".join(dict.fromkeys(texts.get(row, ())))}) if row else element
        for element, row in zip(elements, rows, strict=True)
    ]


def _row(elements: Sequence[Element], index: int) -> str:
    """Key of the innermost entry around an element: a list's, or a table's row."""
    while index >= 0:
        element = elements[index]
        if element.role in {"listitem", "row", "treeitem"}:
            return element.key
        if element.role == "cell":
            return element.key.rpartition("/")[0]
        index = element.parent
    return ""


def in_forms(elements: list[Element]) -> list[Element]:
    """Dialogs that take text are forms, sent by one button (or by Enter, where that cannot be pressed yet);
    in all others each control acts at once.
    """
    tops = [_top(elements, index) for index in range(len(elements))]
    typed = {
        top
        for top, element in zip(tops, elements, strict=True)
        if element.role == "textbox" and element.editable and element.visible
    }
    forms = {top for top in typed if elements[top].role in DIALOGS}
    senders = {top: _sender(elements, tops, top) for top in forms}
    found: list[Element] = []
    for index, (top, element) in enumerate(zip(tops, elements, strict=True)):
        sends = senders.get(top, -1) == index
        if sends or (top in forms and element.visible and _belongs(element, elements[top])):
            kind = "submit" if sends else element.kind
            found.append(element.model_copy(update={"form": elements[top].key, "kind": kind}))
        else:
            found.append(element)
    return found


def in_choosers(elements: list[Element]) -> list[Element]:
    """File choosers: their places and the bar of folders lead out of the program's own folder; of their list
    a row is pressed as a whole, by its first cell.
    """
    tops = [_top(elements, index) for index in range(len(elements))]
    bars = {element.parent for element in elements if element.tag == "toggle_button"}
    found: list[Element] = []
    for top, element in zip(tops, elements, strict=True):
        chooser = elements[top].tag == NAMED_FILES
        if chooser and _leads_away(element, bars):
            found.append(element.model_copy(update={"href": _FOLDER}))
        elif chooser and _is_detail(element):
            found.append(element.model_copy(update={"clickable": False}))
        else:
            found.append(element)
    return found


def _leads_away(element: Element, bars: set[int]) -> bool:
    return element.role == "listitem" or (element.role == "button" and element.parent in bars)


def _is_detail(element: Element) -> bool:
    return element.role == "columnheader" or (element.role == "cell" and not element.key.endswith("/cell"))


def _sender(elements: Sequence[Element], tops: Sequence[int], top: int) -> int:
    """The button that sends a dialog: its default, else the last of those that stand at its foot, as the
    guidelines of GNOME have it; -1 where there is none.
    """
    buttons = [
        index
        for index, element in enumerate(elements)
        if tops[index] == top and element.visible and element.role == "button" and not element.checkable
    ]
    marked = (index for index in buttons if elements[index].kind == "submit")
    foot = (index for index in reversed(buttons) if elements[index].parent == top)
    return next(chain(marked, foot), -1)


def _belongs(element: Element, dialog: Element) -> bool:
    """Whether a field is filled in together with the others of its dialog."""
    fields = frozenset({"textbox"}) if dialog.tag == NAMED_FILES else _FORM_FIELDS
    return element.role in fields


def _top(elements: Sequence[Element], index: int) -> int:
    while elements[index].parent >= 0:
        index = elements[index].parent
    return index

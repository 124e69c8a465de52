"""What belongs together on a screen: entries of lists, fields of dialogs that are sent as one, and the
folders that a file chooser leads to.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemas.screen import Element

DIALOGS = frozenset({"dialog", "alertdialog"})
_FORM_FIELDS = frozenset({"textbox", "checkbox", "combobox", "spinbutton"})
_NAMED_FILES = "file_chooser"
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
    """Dialogs that take text and have a default button are forms; in all others each control acts at once."""
    tops = [_top(elements, index) for index in range(len(elements))]
    typed = {
        top
        for top, element in zip(tops, elements, strict=True)
        if element.role == "textbox" and element.editable and element.visible
    }
    forms = {top for top in typed if elements[top].role in DIALOGS}
    last = {top: button for top in forms if (button := _affirms(elements, tops, top)) is not None}
    return [
        element.model_copy(
            update={
                "form": elements[top].key,
                "kind": "submit" if last.get(top) == index else element.kind,
            }
        )
        if top in forms and element.visible and _belongs(element, elements[top])
        else element
        for index, (top, element) in enumerate(zip(tops, elements, strict=True))
    ]


def with_folders(elements: list[Element]) -> list[Element]:
    """File choosers with the places and the bar of folders that lead out of the program's own folder."""
    tops = [_top(elements, index) for index in range(len(elements))]
    bars = {element.parent for element in elements if element.tag == "toggle_button"}
    return [
        element.model_copy(update={"href": _FOLDER})
        if elements[top].tag == _NAMED_FILES and _leads_away(element, bars)
        else element
        for top, element in zip(tops, elements, strict=True)
    ]


def _leads_away(element: Element, bars: set[int]) -> bool:
    return element.role == "listitem" or (element.role == "button" and element.parent in bars)


def _affirms(elements: Sequence[Element], tops: Sequence[int], top: int) -> int | None:
    """The button that sends a dialog where the toolkit marks none as the default: the last of those that
    stand at its foot, as the guidelines of GNOME have it. None where one is marked, or none stands there.
    """
    buttons = [
        index
        for index, element in enumerate(elements)
        if tops[index] == top and element.visible and _is_button(element)
    ]
    if any(elements[index].kind == "submit" for index in buttons):
        return None
    return next((index for index in reversed(buttons) if elements[index].parent == top), None)


def _belongs(element: Element, dialog: Element) -> bool:
    """Whether a control is filled in or pressed together with the others of its dialog."""
    fields = frozenset({"textbox"}) if dialog.tag == _NAMED_FILES else _FORM_FIELDS
    return element.role in fields or _is_button(element)


def _is_button(element: Element) -> bool:
    return element.role == "button" and not element.checkable


def _top(elements: Sequence[Element], index: int) -> int:
    while elements[index].parent >= 0:
        index = elements[index].parent
    return index

"""What belongs together on a screen: entries of lists, and fields of dialogs that are sent as one."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.screen import Element

DIALOGS = frozenset({"dialog", "alertdialog"})
_FORM_FIELDS = frozenset({"textbox", "checkbox", "combobox", "spinbutton"})
_NAMED_FILES = "file_chooser"
"""A dialog that asks for one thing, a name; all else on it only moves about."""


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
    return [
        element.model_copy(update={"form": elements[top].key})
        if top in forms and element.visible and _belongs(element, elements[top])
        else element
        for top, element in zip(tops, elements, strict=True)
    ]


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

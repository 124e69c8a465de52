"""Roles and states as AT-SPI numbers them, and the ARIA roles that an Element has.

The numbers are those of AtspiRole and AtspiStateType (at-spi2-core 2.46); they are part of its protocol.
"""

from __future__ import annotations

from enum import IntEnum

_SPELLED = """
    invalid accelerator_label alert animation arrow calendar canvas check_box check_menu_item
    color_chooser column_header combo_box date_editor desktop_icon desktop_frame dial dialog
    directory_pane drawing_area file_chooser filler focus_traversable font_chooser frame glass_pane
    html_container icon image internal_frame label layered_pane list list_item menu menu_bar menu_item
    option_pane page_tab page_tab_list panel password_text popup_menu progress_bar push_button
    radio_button radio_menu_item root_pane row_header scroll_bar scroll_pane separator slider
    spin_button split_pane status_bar table table_cell table_column_header table_row_header
    tearoff_menu_item terminal text toggle_button tool_bar tool_tip tree tree_table unknown viewport
    window extended header footer paragraph ruler application autocomplete editbar embedded entry chart
    caption document_frame heading page section redundant_object form link input_method_window table_row
    tree_item document_spreadsheet document_presentation document_text document_web document_email
    comment list_box grouping image_map notification info_bar level_bar title_bar block_quote audio
    video definition article landmark log marquee math rating timer static math_fraction math_root
    subscript superscript description_list description_term description_value footnote content_deletion
    content_insertion mark suggestion push_button_menu
"""
_NAMES = _SPELLED.split()

_ARIA = {
    "alert": "alertdialog",
    "application": "application",
    "article": "article",
    "autocomplete": "textbox",
    "calendar": "grid",
    "check_box": "checkbox",
    "check_menu_item": "menuitemcheckbox",
    "color_chooser": "dialog",
    "column_header": "columnheader",
    "combo_box": "combobox",
    "date_editor": "textbox",
    "dialog": "dialog",
    "document_frame": "document",
    "document_spreadsheet": "document",
    "document_text": "document",
    "document_web": "document",
    "editbar": "textbox",
    "entry": "textbox",
    "file_chooser": "dialog",
    "font_chooser": "dialog",
    "form": "form",
    "frame": "window",
    "grouping": "group",
    "heading": "heading",
    "icon": "listitem",
    "image": "img",
    "info_bar": "status",
    "label": "text",
    "landmark": "region",
    "level_bar": "meter",
    "link": "link",
    "list": "list",
    "list_box": "list",
    "list_item": "listitem",
    "menu": "menuitem",
    "menu_bar": "menubar",
    "menu_item": "menuitem",
    "notification": "status",
    "page_tab": "tab",
    "page_tab_list": "tablist",
    "paragraph": "paragraph",
    "password_text": "textbox",
    "popup_menu": "menu",
    "progress_bar": "progressbar",
    "push_button": "button",
    "push_button_menu": "button",
    "radio_button": "radio",
    "radio_menu_item": "menuitemradio",
    "row_header": "rowheader",
    "scroll_bar": "scrollbar",
    "separator": "separator",
    "slider": "slider",
    "spin_button": "spinbutton",
    "static": "text",
    "status_bar": "status",
    "table": "table",
    "table_cell": "cell",
    "table_column_header": "columnheader",
    "table_row": "row",
    "table_row_header": "rowheader",
    "tearoff_menu_item": "none",
    "terminal": "textbox",
    "text": "textbox",
    "toggle_button": "button",
    "tool_bar": "toolbar",
    "tool_tip": "tooltip",
    "tree": "tree",
    "tree_item": "treeitem",
    "tree_table": "treegrid",
    "window": "window",
}
"""What stands here is a control, a landmark or text; all else is layout (``generic``)."""


class State(IntEnum):
    """Bits of a node's states."""

    ACTIVE = 1
    CHECKED = 4
    EDITABLE = 7
    ENABLED = 8
    EXPANDABLE = 9
    EXPANDED = 10
    FOCUSABLE = 11
    FOCUSED = 12
    MODAL = 16
    MULTI_LINE = 17
    PRESSED = 20
    SELECTABLE = 22
    SELECTED = 23
    SENSITIVE = 24
    SHOWING = 25
    VISIBLE = 30
    MANAGES_DESCENDANTS = 31
    REQUIRED = 33
    IS_DEFAULT = 39
    CHECKABLE = 41
    READ_ONLY = 43


def role_name(number: int) -> str:
    """The name of an AT-SPI role, ``unknown`` for one that is newer than the table."""
    return _NAMES[number] if 0 <= number < len(_NAMES) else "unknown"


def role_number(name: str) -> int:
    """The number of an AT-SPI role."""
    return _NAMES.index(name)


def aria(name: str) -> str:
    """The ARIA role for the name of an AT-SPI role."""
    return _ARIA.get(name, "generic")


def has(states: int, state: State) -> bool:
    """Whether a bit is set."""
    return bool(states >> state & 1)

"""Identity: when are two screens the same screen, and when do they show the same data?

``structure`` is made of the controls and landmarks that are displayed, as a set of template paths: a
list of two rows and one of two hundred are the same, a panel that opens is not. ``id`` adds everything
that is displayed, with text that changes by itself masked, and the marks in closed menus, which are what a
program is set to. Focus, boxes, scrolling, tooltips (which depend on where the pointer happens to rest) and
the address count for neither: a page may change its address and not its view, or its view and not its
address. Where links lead and forms are sent is in their keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from crawlers.words import CLOSE, HIDE, MESSAGE, THIS, says_only, speaks_of
from schemas.record import digest
from schemas.screen import Dialog, Element, Quality, State

_PROSE = frozenset(
    {
        *("text", "paragraph", "generic", "none", "presentation", "img", "image", "strong", "emphasis"),
        *("alert", "status", "log", "marquee", "timer", "progressbar", "meter", "time", "code"),
        *("mark", "insertion", "deletion", "subscript", "superscript", "caption", "note", "separator"),
    }
)
"""Roles that say something and offer nothing: they count for the data, not for the structure."""

_CROSSES = frozenset("×✕✖✗🗙xX")
_MENU_MARKS = frozenset({"menuitemcheckbox", "menuitemradio"})

_LIVE = frozenset({"timer", "marquee"})
"""Roles whose text changes by definition."""

_VOLATILE = re.compile(
    "|".join(  # noqa: FLY002 - one alternative a line
        (
            # "3 minutes ago" and its like
            r"(?i:\b(?:\d+|an?)\s*(?:sec|min|hour|day|week|month|year)\w*\s+(?:ago|from now)\b)",
            r"(?i:\b(?:just now|(?:a )?moments? ago|à l'instant|gerade eben|ahora mismo)\b)",
            r"(?i:\bvor\s+(?:\d+|eine[rm])\s*(?:Sekunde|Minute|Stunde|Tag|Woche|Monat|Jahr)\w*)",
            r"(?i:\bil y a\s+(?:\d+|une?)\s*(?:seconde|minute|heure|jour|semaine|mois|an)\w*)",
            r"(?i:\bhace\s+(?:\d+|una?)\s*(?:segundo|minuto|hora|día|semana|mes|año)\w*)",
            r"\d+\s*(?:秒|分钟|分鐘|分|小时|小時|時間|天|日|周|週間|个月|個月|か月|ヶ月|年|초|분|시간|일)\s*(?:之?前|전)",
            r"刚刚|剛剛|たった今|방금",
            # clocks that show seconds, and "done in 0.03 s"
            r"\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:\s?[AaPp]\.?[Mm]\b\.?)?(?:Z|[+-]\d{2}:?\d{2})?",
            r"\b\d+[.,]\d+\s*(?:ms|s|sec|seconds?|Sekunden|secondes?|segundos|秒)(?![A-Za-z])",
            # the port of a local server; UUIDs, digests, signed tokens
            r"(?:127\.0\.0\.1|localhost|\[::1\]):\d+",
            r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b",
            r"\b(?=\w*\d)(?=\w*[A-Fa-f])[0-9A-Fa-f]{16,}\b",
            r"(?<![\w.-])(?=[\w.-]*\d)(?=[\w.-]*[a-z])(?=[\w.-]*[A-Z])[A-Za-z0-9_.-]{24,}(?![\w.-])",
        )
    )
)
_HINT = re.compile(r"(?i:\d|\bago\b|from now|now|instant|eine|il y a|hace|eben|ahora)|刚|剛|今|방")
"""What every volatile text holds; most lines do not, and are spared the long expression."""


@lru_cache(maxsize=8_192)
def mask(text: str) -> str:
    """The text with everything that changes by itself replaced by ``…``."""
    return _VOLATILE.sub("…", text) if _HINT.search(text) else text


def structure_of(elements: Sequence[Element], dialog: Dialog | None = None) -> str:
    """``sc_`` id of the displayed controls and landmarks; the same for any number of repeated items."""
    paths: list[str] = []
    seen: set[str] = set()
    for element, counts in zip(elements, _counting(elements), strict=True):
        above = paths[element.parent] if 0 <= element.parent < len(paths) else ""
        if not counts or not _structural(element):
            paths.append(above)
            continue
        path = _path(above, element.role, element.template, element.kind)
        paths.append(path)
        seen.add(path)
    return digest("sc", sorted(seen), dialog.kind if dialog else "")


def state_of(  # noqa: PLR0913 - a State has that many parts
    *,
    app: str,
    lang: str,
    address: str,
    route: str,
    title: str,
    elements: Sequence[Element],
    width: int,
    height: int,
    scale: float = 1.0,
    dialog: Dialog | None = None,
    quality: Quality = Quality.OK,
    status: int = 0,
) -> State:
    """The observed screen with both of its identities; sizes are pixels of the stored image."""
    structure = structure_of(elements, dialog)
    counting = zip(elements, _counting(elements), strict=True)
    shown = [_shown(element) for element, counts in counting if counts]
    shown += [[element.key] for element in elements if _ticked_in_closed_menu(element)]
    message = mask(dialog.message) if dialog else ""
    return State(
        id=digest("st", app, lang, structure, mask(title), shown, message),
        structure=structure,
        app=app,
        lang=lang,
        address=address,
        route=route,
        title=title,
        elements=tuple(elements),
        width=width,
        height=height,
        scale=scale,
        dialog=dialog,
        quality=quality,
        status=status,
    )


@lru_cache(maxsize=8_192)
def _path(*parts: str) -> str:
    return digest("", *parts)


def _counting(elements: Sequence[Element]) -> list[bool]:
    """Whether each element is displayed, and not by a tooltip; one that holds controls is used as a menu."""
    tips = any(element.role == "tooltip" for element in elements)
    menus = frozenset(_menus(elements)) if tips else frozenset()
    hints: list[bool] = []
    for index, element in enumerate(elements):
        inside = 0 <= element.parent < len(hints) and hints[element.parent]
        hints.append(inside or (element.role == "tooltip" and index not in menus))
    return [element.visible and not hint for element, hint in zip(elements, hints, strict=True)]


def _menus(elements: Sequence[Element]) -> Iterator[int]:
    """Indices of the tooltips that hold a control."""
    for element in elements:
        if element.clickable or element.editable:
            yield from (index for index in _above(elements, element) if elements[index].role == "tooltip")


def _above(elements: Sequence[Element], element: Element) -> Iterator[int]:
    """Indices of what holds an element, innermost first."""
    index = element.parent
    while 0 <= index < len(elements):
        yield index
        index = elements[index].parent


def _structural(element: Element) -> bool:
    """Whether it is a control or a landmark. What only closes a message (or the panel that it stands in,
    which has other controls) comes and goes with it and offers nothing by itself.
    """
    if element.clickable and _closes(element.label):
        return False
    return element.clickable or element.editable or element.checkable or element.role not in _PROSE


def _closes(label: str) -> bool:
    """Whether this is all that a control does by its label: "×", "Close", "Hide this notice"."""
    if label in _CROSSES or says_only(CLOSE, label):
        return True
    hides = speaks_of(f"{CLOSE} {HIDE}", label) and speaks_of(MESSAGE, label)
    return hides and says_only(f"{CLOSE} {HIDE} {THIS} {MESSAGE}", label)


def _ticked_in_closed_menu(element: Element) -> bool:
    """Whether it is a mark that says what the program is set to, though its menu is closed."""
    return element.checked and not element.visible and element.role in _MENU_MARKS


def _shown(element: Element) -> list[object]:
    live = element.live or element.role in _LIVE
    text = "" if live else "\n".join((mask(element.name), mask(element.text), mask(element.value)))
    chosen = [option.value for option in element.options if option.selected]
    return [element.role, text, element.checked, element.enabled, chosen]

"""Offers: every Action that one screen invites to. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from crawlers.forms import forms_of, is_field
from crawlers.offer import LINK, Offer, control, in_general
from crawlers.risk import may_try, off_app, risk_of
from crawlers.scrolls import scrolls
from crawlers.sendings import Sendings
from crawlers.words import SORT, speaks_of
from schemas.action import Action, Check, Click, Hover, Respond, Select, Target
from schemas.app import App
from schemas.graph import Risk, Untried
from schemas.screen import Element, Quality, State

_POINT = 4
"""Weight of pointing at something."""
_CONTROLS = frozenset(
    {
        *("link", "button", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "switch"),
        *("checkbox", "radio", "treeitem", "combobox", "slider", "spinbutton", "textbox", "searchbox"),
    }
)
_HOLDERS = frozenset({"dialog", "alertdialog", "form", "main", "document", "application"})
"""What takes clicks only to notice those outside of its contents."""
_SHUT = frozenset({Quality.ERROR, Quality.BLANK, Quality.WALL, Quality.TREE_MISSING})
_WORD = re.compile(r"[a-z_]{1,16}")
_NUMBERED = re.compile(r"\d+|(?<=/)[0-9a-f-]{16,}(?=/|$)")


def offers(state: State, app: App, seed: int = 0) -> Iterator[Offer | Untried]:
    """Everything a State invites to, in screen order; what must not be tried, as Untried with a reason."""
    if state.quality in _SHUT:
        # A screen that cannot be read must not pass for one that offers nothing.
        yield Untried(state=state.id, key=state.route, label=state.title, reason=state.quality)
        return
    if state.dialog is not None:
        yield from _answers(state, app)
        return
    forms = forms_of(state)
    held = {button.key for form in forms for button in form.submits}
    keys = {form.key for form in forms}
    for form in forms:
        yield from Sendings(state, form, app, seed)
    for index, element in enumerate(state.elements):
        if not element.visible or not element.enabled or element.key in held:
            continue
        if is_field(element):
            action = None if element.form in keys else _set(element)
            if action is not None and may_try(Risk.REVERSIBLE, app):
                yield control(state, element, action, Risk.REVERSIBLE)
        elif element.clickable and element.role not in _HOLDERS and not _part_of_control(state, index):
            yield _press(state, element, app)
    yield from _reveals(state)
    yield from scrolls(state)


def address_template(href: str) -> str:
    """A link's address with numbers and free values replaced: short lower-case words stay, because they
    name a function (``?do=login``) and not a thing, unless they choose a column to sort by.
    """
    url = urlsplit(href)
    query = sorted(
        (name, value if _WORD.fullmatch(value) and not speaks_of(SORT, name) else "{}")
        for name, value in parse_qsl(url.query, keep_blank_values=True)
    )
    asked = "&".join(f"{name}={value}" for name, value in query)
    return f"{_NUMBERED.sub('{}', url.path)}?{asked}#{_NUMBERED.sub('{}', url.fragment)}"


def _page(template: str) -> str:
    """An address template without the parameters that choose among views of one page: an order, a part, a
    filter.
    """
    path, _, rest = template.partition("?")
    kept = "&".join(each for each in _asked(template) if not each.endswith("={}"))
    return f"{path}?{kept}#{rest.partition('#')[2]}"


def _asked(template: str) -> tuple[str, ...]:
    """What a page is asked for: ``format=rss``, ``order={}``."""
    asked = template.partition("?")[2].partition("#")[0]
    return tuple(filter(None, asked.split("&")))


def _answers(state: State, app: App) -> Iterator[Offer | Untried]:
    dialog = state.dialog
    if dialog is None:
        return
    for accept in (False, True) if dialog.kind != "alert" else (True,):
        key = f"dialog {dialog.kind} {accept}"
        text = "Quill" if accept and dialog.kind == "prompt" else ""
        # Nobody knows what is agreed to; leaving a page loses what was not sent yet.
        grave = accept and dialog.kind in {"confirm", "prompt"}
        risk = Risk.IRREVERSIBLE if grave else Risk.NONE
        if not may_try(risk, app):
            yield Untried(state=state.id, key=key, label=dialog.message, reason=f"risk_{risk}")
            continue
        yield Offer(
            state=state.id,
            action=Respond(accept=accept, text=text),
            scope=f"{state.structure} {dialog.kind} {accept}",
            key=key,
            label=dialog.message,
            risk=risk,
        )


def _press(state: State, element: Element, app: App) -> Offer | Untried:
    risk = risk_of(element, app)
    reason = ""
    if off_app(element):
        reason = "off_app"
    elif not may_try(risk, app):
        reason = f"risk_{risk}"
    elif element.occluded:
        reason = "covered"
    leads = urlsplit(element.href)
    here = element.href.partition("#")[0] == state.address
    if here and not reason and re.search(rf"[=:]{re.escape(leads.path)}(?:[?.\[]|$)", element.template):
        reason = "leads_here"
    if reason:
        return Untried(state=state.id, key=element.key, label=element.label, reason=reason)
    action = Click(target=Target.of(element))
    if not element.href or leads.scheme == "javascript" or here:
        # What leads here by no address of its own (``href="#"``) is a control that looks like a link.
        return control(state, element, action, risk)
    template = address_template(element.href)
    names = " ".join(sorted(name for name, _ in parse_qsl(leads.query)))
    about = in_general(state, template)
    return Offer(
        state=state.id,
        action=action,
        scope=LINK + template,
        key=element.key,
        label=element.label,
        risk=risk,
        item=element.item,
        family=element.template if element.item else about if about != template else "",
        limit=1 if risk is Risk.ACCOUNT else 2,
        space=f"{template.partition('?')[0].rpartition('/')[0]} {names}",
        kin=(f"view of {_page(template)}", *(f"asked {each}" for each in _asked(template))),
    )


def _reveals(state: State) -> Iterator[Offer]:
    """Pointing at a repeated item that hides controls of its own, which may show them."""
    hidden: dict[int, set[str]] = {}
    for element in state.elements:
        if element.visible or not element.clickable or not element.item:
            continue
        above = element.parent
        while above >= 0 and state.elements[above].box is None:
            above = state.elements[above].parent
        item = _item_around(state, above)
        if item >= 0 and not state.elements[item].occluded:
            hidden.setdefault(item, set()).add(element.template)
    for item, templates in hidden.items():
        shown = state.elements[item]
        offer = control(state, shown, Hover(target=Target.of(shown)), Risk.NONE)
        # Items that hide other controls are items of another kind.
        scope = f"{offer.scope} {' '.join(sorted(templates))}"
        yield replace(offer, scope=scope, family="", weight=_POINT)


def _item_around(state: State, index: int) -> int:
    """The outermost drawn element of the same repeated item."""
    while index >= 0:
        above = state.elements[index].parent
        same = above >= 0 and state.elements[above].item == state.elements[index].item
        if not same or state.elements[above].box is None:
            return index
        index = above
    return -1


def _set(element: Element) -> Action | None:
    """Another setting of a control that belongs to no form; None for text, which is sent with Enter."""
    if element.options:
        other = next((option for option in element.options if not option.selected and option.value), None)
        return Select(target=Target.of(element), value=other.value, label=other.label) if other else None
    if element.checkable:
        if element.checked and (element.role == "radio" or element.kind == "radio"):
            return None
        return Check(target=Target.of(element), checked=not element.checked)
    return None


def _part_of_control(state: State, index: int) -> bool:
    """Whether a clickable piece only decorates the control around it."""
    element = state.elements[index]
    if element.role in _CONTROLS:
        return False
    while element.parent >= 0:
        element = state.elements[element.parent]
        if element.clickable:
            return True
    return False

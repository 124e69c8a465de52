"""Risk: what might be lost by trying an Action, guessed from words before it is tried.

A guess decides only whether and when something is tried, never what it did: a link called "delete" that
changes nothing reads as no change, whatever its risk was. A link is asked for with GET, so its words are
weighed more lightly than those of a button that sends a form.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from crawlers.words import ACCOUNT, CREATE, DELETE, LOGOUT, MAIL, PAY, RESET, UPDATE, speaks_of
from schemas.app import App
from schemas.graph import Risk
from schemas.screen import Element

_OTHER_SCHEMES = ("mailto:", "tel:", "sms:", "callto:", "intent:", "file:")


def risk_of(element: Element, app: App) -> Risk:
    """What is at stake in pressing (or following, or sending) an element."""
    place = urlsplit(element.href or _sent_to(element.form))
    path = place.path
    address = f"{path}?{place.query}" if place.query else path
    if off_app(element) or any(re.search(pattern, address) for pattern in app.never):
        return Risk.EXTERNAL
    words = (element.label, path, urlsplit(element.href).query, element.field)
    if speaks_of(LOGOUT, element.label, path):
        return Risk.ACCOUNT
    if speaks_of(DELETE, *words) or speaks_of(RESET, *words):
        return Risk.IRREVERSIBLE
    if element.href:
        return Risk.NONE
    for family, risk in ((MAIL, Risk.EXTERNAL), (PAY, Risk.FINANCIAL), (ACCOUNT, Risk.ACCOUNT)):
        if speaks_of(family, *words):
            return risk
    writes = element.kind == "submit" or speaks_of(CREATE, *words) or speaks_of(UPDATE, *words)
    return Risk.REVERSIBLE if writes else Risk.NONE


def may_try(risk: Risk, app: App) -> bool:
    """Whether an Action of that risk is tried on the App: only what can be put back, and nothing that
    reaches other people.
    """
    if risk is Risk.EXTERNAL:
        return False
    return risk is Risk.NONE or app.resettable


def off_app(element: Element) -> bool:
    """Whether a link leads out of the App: to another origin or to another program."""
    href = element.href.strip().lower()
    return href.startswith(_OTHER_SCHEMES) or bool(urlsplit(href).netloc)


def _sent_to(form: str) -> str:
    """The address in a form's key, where the platform puts one there (``form=/items/add~3f``)."""
    found = re.search(r"=(/[^~#]*)", form)
    return found[1] if found else form

"""Proposals: what to enter into a form while exploring.

Values are sentinels: free of any language, told apart by the field's place in its form, and easy to
recognise when the App echoes them. The same form gets the same values on every crawl.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from crawlers.files import IMAGE, TABLE, asks_for_image
from crawlers.forms import Form, VariantName, asks_for_words
from crawlers.limits import limits_of
from crawlers.words import CONFIRM, NUMBER, speaks_of
from schemas.app import App
from schemas.screen import Element

ATTEMPTS = 4
"""Ways to fill a form validly: everything anew; chosen options left alone; free text as a number; and only
what it cannot do without."""

SENTINEL = re.compile(r"quill\d*", re.IGNORECASE)
"""What a thing is called that was made while exploring."""

_DATE = re.compile(
    r"""\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T]\d{1,2}:\d\d.*)?   # 2027-02-01, 1/2/27, 01.02.2027 10:30
    | [^\W\d]{3,}\.?\ \d{1,2},?\ \d{4}                        # Feb 1, 2027
    | \d{1,2}\.?\ (?:de\ )?[^\W\d]{3,}\.?\ (?:de\ )?\d{4}     # 1. Februar 2027, 1 de febrero de 2027
    | \d{4}[年년]\ ?\d{1,2}[月월]\ ?\d{1,2}[日일]                # 2027年2月1日
    | \d{1,2}:\d\d(?::\d\d)?(?:\ ?[AaPp]\.?[Mm]\.?)?           # 10:30
    """,
    re.VERBOSE,
)
"""Text that is a day or a time of day, however a language writes it."""
_MOMENTS = {
    "date": "{day}",
    "time": "10:30",
    "datetime-local": "{day}T10:30",
    "month": "{month}",
    "week": "{year}-W05",
    "color": "#336699",
}
_PRESET_CHOICES_STAY = 1
_TEXT_IS_NUMBER = 2
_ONLY_ESSENTIALS = 3


def propose(
    form: Form, variant: VariantName, app: App, *, seed: int = 0, attempt: int = 0
) -> dict[str, str] | None:
    """Parameter name → value; None where the form offers no such variant.

    ``valid`` fills everything that can be filled (see ``ATTEMPTS``), ``boundary`` puts the first limited
    field on its limit, ``invalid`` empties what is required or else spoils the first typed field, and
    ``untouched`` sends the form as it came.
    """
    if variant == "untouched":
        return {}
    values = _valid(form, app, seed, attempt)
    if variant == "valid":
        return values
    edge = _boundary(form) if variant == "boundary" else _invalid(form)
    return None if edge is None else {**values, **edge}


def single(form: Form, name: str, app: App, *, seed: int = 0) -> dict[str, str]:
    """A valid proposal that changes one parameter and leaves the others, secrets excepted."""
    values = _valid(form, app, seed, 0)
    return {key: value for key, value in values.items() if key == name or value.startswith("{secret:")}


def _valid(form: Form, app: App, seed: int, attempt: int) -> dict[str, str]:
    if attempt == _ONLY_ESSENTIALS:
        needed = _essentials(form)
        return {name: value for name, value in _valid(form, app, seed, 0).items() if name in needed}
    values: dict[str, str] = {}
    for place, name in enumerate(form.names):
        members = form.members(name)
        value = _value(members[0], members, app, seed + place, attempt)
        if value is not None:
            values[name] = value
    return values


def _essentials(form: Form) -> frozenset[str]:
    """Names of what is required; where nothing is said to be, secrets and the first thing to type."""
    first = [(name, form.members(name)[0]) for name in form.names]
    required = frozenset(name for name, field in first if field.required)
    typed = next((name for name, field in first if field.editable and not field.password), None)
    return required or frozenset(name for name, field in first if field.password or name == typed)


def _value(field: Element, members: tuple[Element, ...], app: App, place: int, attempt: int) -> str | None:
    if field.options:
        return _choice(field, attempt)
    if field.checkable:
        return _checked(field, members)
    if field.kind == "file":
        return IMAGE if asks_for_image(field) else TABLE
    return _password(field, app) if field.password else _text(field, app, place, attempt)


def _checked(field: Element, members: tuple[Element, ...]) -> str | None:
    """Another radio button; the first box of an empty group; the other setting of a single box."""
    if field.role == "radio" or field.kind == "radio":
        other = next((each for each in members if not each.checked), None)
        return (other.value or other.label) if other else None
    if len(members) > 1:
        return None if any(each.checked for each in members) else "true"
    return None if field.required and field.checked else str(not field.checked).lower()


def _choice(field: Element, attempt: int) -> str | None:
    preset = next((option.value for option in field.options if option.selected), "")
    if preset and attempt >= _PRESET_CHOICES_STAY:
        return None
    return next((option.value for option in field.options if option.value not in {"", preset}), None)


def _password(field: Element, app: App) -> str | None:
    if field.field in app.secrets:
        return f"{{secret:{field.field}}}"
    return "Quill-17-pass" if field.required or speaks_of(CONFIRM, field.field) else None


def _text(field: Element, app: App, place: int, attempt: int) -> str:
    limits = limits_of(field)
    if field.kind in _MOMENTS:
        day = _day(limits, _as_day(app.clock) or date(2027, 2, 1)).isoformat()
        return _MOMENTS[field.kind].format(day=day, month=day[:7], year=day[:4])
    if _DATE.fullmatch(field.value):
        return field.value  # another one would have to be written in the same way
    if _numeric(field, limits) or (attempt >= _TEXT_IS_NUMBER and not field.value):
        return _number(limits, field.value, place)
    return _fit(_words(field, place), limits)


def _numeric(field: Element, limits: Mapping[str, str]) -> bool:
    return (
        field.kind in {"number", "range"}
        or field.role in {"spinbutton", "slider"}
        or limits.get("inputmode") in {"decimal", "numeric"}
        or bool(re.fullmatch(r"\d+(?:[.,]\d+)?", field.value))
        or (field.kind in {"", "text"} and speaks_of(NUMBER, field.field))
    )


def _words(field: Element, place: int) -> str:
    if field.kind == "email" or "@" in field.value or speaks_of("email mail", field.field):
        return f"quill{place}@example.org"
    if field.kind == "url" or "://" in field.value or speaks_of("url website homepage", field.field):
        return f"https://example.org/quill{place}"
    if field.kind == "tel":
        return f"555010{place:02d}"
    return "a" if asks_for_words(field) else f"Quill{place}"


def _day(limits: Mapping[str, str], today: date) -> date:
    """A fortnight ago, moved inside the limits."""
    day = today - timedelta(days=15)
    low, high = _as_day(limits.get("min")), _as_day(limits.get("max"))
    if low is not None and day < low:
        return low
    return high if high is not None and day > high else day


def _as_day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def _number(limits: Mapping[str, str], preset: str, place: int) -> str:
    value = 17 + place
    low, high = _as_number(limits.get("min")), _as_number(limits.get("max"))
    if high is not None and value > high:
        value = int(high) if preset != str(int(high)) else int(high) - 1
    if low is not None and value < low:
        value = int(low) + 1 if high is None or low + 1 <= high else int(low)
    return str(value)


def _as_number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _fit(text: str, limits: Mapping[str, str]) -> str:
    """The text, or another one that the field's pattern takes where a simple one does."""
    longest = limits.get("maxlength", "")
    text = text[: int(longest)] if longest.isdigit() and int(longest) > 0 else text
    pattern = limits.get("pattern")
    if not pattern:
        return text
    for candidate in (text, text.lower(), "1234567890"[: len(text)], "12345", "2027", "AB12"):
        try:
            if re.fullmatch(pattern, candidate):
                return candidate
        except re.error:
            break
    return text


def _boundary(form: Form) -> dict[str, str] | None:
    for name in form.names:
        field = form.members(name)[0]
        limits = limits_of(field)
        if field.editable and limits.get("max") and field.kind in {"number", "range", "date"}:
            return {name: limits["max"]}
        longest = limits.get("maxlength", "")
        if field.editable and longest.isdigit() and 0 < int(longest) <= 200 and field.kind != "number":
            return {name: "Q" * int(longest)}
    return None


def _invalid(form: Form) -> dict[str, str] | None:
    fields = [(name, form.members(name)[0]) for name in form.names]
    required = {
        name: "" for name, field in fields if field.required and field.editable and not field.password
    }
    if required:
        return required
    for name, field in fields:
        if field.editable and field.kind in {"email", "url"}:
            return {name: "quill"}
        if field.editable and field.kind == "number" and (high := limits_of(field).get("max")):
            return {name: f"{high}0"}
    return None

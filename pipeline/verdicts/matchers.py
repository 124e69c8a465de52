"""The one grammar of typed comparisons: what a task says against what an App shows or was sent.

A text that can be read in more than one way ("1,234", "3/4/2027") has several readings, and two texts
agree when they share one. Everything that compares uses these functions, so that judges and gates
cannot disagree about what "equal" means.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal

Kind = Literal["any", "string", "number", "currency", "date", "list", "bool"]

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_NUMBER = re.compile(r"[+\-−]?\d[\d.,'’\s]*")
_NUMBER_IN_LINE = re.compile(
    r"(?<![0-9A-Za-z_.,:/\-])[x×]?([+\-−]?\d+(?:[.,'’\u00a0\u202f ]\d+)*)(?![.,:/\-]?\d|[A-Za-z_]+\d)"
)
"""A number by itself, with a unit ("5kg", "3个") or as a factor ("x2"): no part of a date or a name."""
_LEADING_ZERO = re.compile(r"[+\-−]?0\d")
_SEPARATORS = re.compile(r"[,;、，；\n]")
_DATE = re.compile(r"(\d{1,4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,4})\s*日?")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAMED_DATE = re.compile(r"(?:(\d{1,2})\.?\s+)?([a-z]{3})[a-z]*\.?\s+(?:(\d{1,2}),?\s+)?(\d{4})")
_CURRENCIES = {
    "€": {"EUR"},
    "$": {"USD", "AUD", "CAD", "HKD", "NZD", "SGD"},
    "£": {"GBP"},
    "¥": {"JPY", "CNY"},
    "￥": {"JPY", "CNY"},
    "元": {"CNY"},
    "円": {"JPY"},
}
_TRUE = frozenset(["true", "yes", "on", "1", "checked", "ja", "oui", "sí", "是", "はい"])
_FALSE = frozenset(["false", "no", "off", "0", "unchecked", "nein", "non", "否", "いいえ"])


@lru_cache(maxsize=65536)
def normal(text: str) -> str:
    """NFC, casefolded, invisible characters dropped, whitespace runs made one space, ends trimmed."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_INVISIBLE).casefold().split())


def numbers(text: str) -> frozenset[Decimal]:
    """The readings of a text that is one number, grouping and decimal marks of either custom; else none.
    A code such as ``007`` is not a number.
    """
    whole = text.strip()
    if not _NUMBER.fullmatch(whole) or _LEADING_ZERO.match(whole):
        return frozenset()
    plain = re.sub(r"[\s'’]", "", whole).replace("−", "-")
    spellings = {_unmark(plain, decimal) for decimal in ".,"} - {""}
    return frozenset(Decimal(spelling) for spelling in spellings)


def amounts(text: str) -> frozenset[tuple[Decimal, str]]:
    """The readings of a text that is an amount of money: value and ISO currency code (empty if unnamed)."""
    whole = text.strip()
    codes = {code for sign, named in _CURRENCIES.items() if sign in whole for code in named}
    codes |= set(re.findall(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])", whole))
    bare = re.sub(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])", "", whole)
    bare = bare.translate(dict.fromkeys(map(ord, "".join(_CURRENCIES))))
    return frozenset((value, code) for value in numbers(bare) for code in codes or {""})


def dates(text: str) -> frozenset[date]:
    """The readings of a text that is one day, in numbers (either order) or with an English month."""
    whole = normal(text)
    if found := _DATE.fullmatch(whole):
        one, two, three = (int(part) for part in found.groups())
        orders = [(one, two, three)] if one > 31 else [(three, two, one), (three, one, two)]
    elif (found := _NAMED_DATE.fullmatch(whole)) and found[2] in _MONTHS:
        orders = [(int(found[4]), _MONTHS.index(found[2]) + 1, int(found[1] or found[3] or 0))]
    else:
        return frozenset()
    return frozenset(day for order in orders if (day := _day(*order)))


def items(text: str) -> tuple[str, ...]:
    """The items of a text that is a list, normalised, in order."""
    return tuple(item for part in _SEPARATORS.split(text) if (item := normal(part)))


def same(expected: str | Sequence[str], found: str, kind: Kind = "any") -> bool:
    """Whether a found text says what was expected; a sequence of expectations are alternatives.

    ``any`` is equal as text, as a number or as a day; the other kinds demand that reading.
    """
    if not isinstance(expected, str):
        return any(same(alternative, found, kind) for alternative in expected)
    return _AGREE[kind](expected, found)


def holds(line: str, text: str) -> bool:
    """Whether a displayed line contains a text as whole words (CJK text has no word ends), or, where the
    text is a number, a number of the same value.
    """
    whole, part = normal(line), normal(text)
    if not part:
        return False
    if readings := numbers(part):
        return any(readings & numbers(found) for found in _NUMBER_IN_LINE.findall(whole))
    start = whole.find(part)
    while start >= 0:
        if _ends_word(whole, start) and _ends_word(whole, start + len(part)):
            return True
        start = whole.find(part, start + 1)
    return False


def _unmark(plain: str, decimal: str) -> str:
    """The number with its grouping marks taken out, if ``decimal`` can be its decimal mark, else empty."""
    grouping = "," if decimal == "." else "."
    head, mark, tail = plain.rpartition(decimal)
    head = head if mark else plain
    grouped = re.fullmatch(rf"[+-]?(\d+|\d{{1,3}}(\{grouping}\d{{3}})+)", head)
    if not grouped or (mark and not tail.isdigit()):
        return ""
    return head.replace(grouping, "") + (f".{tail}" if mark else "")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year if year >= 100 else 2000 + year, month, day)
    except ValueError:
        return None


def _same_amount(expected: str, found: str) -> bool:
    return any(
        value == other and (code == named or not code or not named)
        for value, code in amounts(expected)
        for other, named in amounts(found)
    )


def _same_text(expected: str, found: str) -> bool:
    return normal(expected) == normal(found)


def _same_number(expected: str, found: str) -> bool:
    return bool(numbers(expected) & numbers(found))


def _same_date(expected: str, found: str) -> bool:
    return bool(dates(expected) & dates(found))


def _same_list(expected: str, found: str) -> bool:
    return Counter(items(expected)) == Counter(items(found))


def _same_truth(expected: str, found: str) -> bool:
    return _truth(expected) is not None and _truth(expected) == _truth(found)


def _same_somehow(expected: str, found: str) -> bool:
    return any(agree(expected, found) for agree in (_same_text, _same_number, _same_date))


def _truth(text: str) -> bool | None:
    word = normal(text)
    return True if word in _TRUE else False if word in _FALSE else None


def _ends_word(text: str, at: int) -> bool:
    """Whether a word may end (and another begin) between the characters before and after ``at``."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if not (before.isalnum() and after.isalnum()):
        return True
    return _unspaced(before) or _unspaced(after)


def _unspaced(character: str) -> bool:
    """Whether the character belongs to a script that puts no spaces between words."""
    return (
        "\u3040" <= character <= "\u9fff"
        or "\uac00" <= character <= "\ud7af"
        or "\u0e00" <= character <= "\u0e7f"
    )


_AGREE: dict[Kind, Callable[[str, str], bool]] = {
    "any": _same_somehow,
    "string": _same_text,
    "number": _same_number,
    "currency": _same_amount,
    "date": _same_date,
    "list": _same_list,
    "bool": _same_truth,
}

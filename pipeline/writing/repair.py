"""Small models copy a value almost: in lower case, without its quotation marks, with typewriter quotes. What
was certainly meant is put right; what is missing stays missing, for the gates to find.
"""

from __future__ import annotations

import re

from pipeline.proof.lexicon import primary
from pipeline.writing.spans import places
from prompts.contexts import WriterContext

_OTHER_QUOTES = re.compile(r"\"([^\"]*)\"|‘([^’]*)’(?!\w)|(?<!\w)'([^']*)'(?!\w)|「([^」]*)」|`([^`]*)`")
_OPENING, _CLOSING = "“「『《\"'", "”」』》\"'"
_ARTICLE = re.compile(r"\b(?:the|an?) $", re.IGNORECASE)
_FORM = re.compile(r"(?:: ?|：)(?=“)")
"""The colon of "Payer: “Alice”"."""
_END = {"zh": "。", "ja": "。"}


def repaired(text: str, words: WriterContext, lang: str) -> str:
    """The text with each value as the App writes it, in the quotation marks that templates use too, and
    with an end.
    """
    text = _OTHER_QUOTES.sub(_curly, text)
    facts = [(words.entity, False)] if words.entity else []
    facts += [(field.text, field.plain) for field in words.fields]
    for shown, plain in sorted(facts, key=lambda fact: -len(fact[0])):
        text = _restored(text, shown, plain=plain)
    text = _FORM.sub(_instead, text)
    end = _END.get(primary(lang), ".")
    return text if not text or text[-1] in ".!?。！？" else text.rstrip(",;:，；：") + end


def _instead(match: re.Match[str]) -> str:
    return "" if match[0] == "：" else " "


def _curly(match: re.Match[str]) -> str:
    return f"“{next(group for group in match.groups() if group is not None)}”"


def _restored(text: str, shown: str, *, plain: bool) -> str:
    found = list(places(text, shown)) or list(places(text, shown, fold=True))
    if len(found) != 1:
        return text
    start, end = found[0]
    quoted = text[start - 1 : start] in _OPENING and text[end : end + 1] in _CLOSING and start > 0
    if not plain and not quoted:
        # "the hotel in Lyon" was a phrase; “Hotel in Lyon” is a name.
        return _ARTICLE.sub("", text[:start]) + f"“{shown}”" + text[end:]
    return text[:start] + shown + text[end:]

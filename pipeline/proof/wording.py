"""An instruction seen through its spans: what is backed by the plan, and what is left when that is cut."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator

from schemas.task import Instruction, Span, TaskPlan

CUT = "\ufffc"
"""Stands where a span was cut out, so that nothing grows together across the gap."""
FACTS = frozenset({"label", "value", "entity", "title"})
"""Sources that carry facts; verbs are words of the language."""
VALUES = frozenset({"value", "entity"})

_QUOTES = (
    r"\"([^\"]*)\"",
    "“([^”“]*)[”“]",
    "„([^“”]*)[“”]",
    "«([^»]*)»",
    "‹([^›]*)›",
    "「([^」]*)」",
    "『([^』]*)』",
    "《([^》]*)》",
    "〈([^〉]*)〉",
    "【([^】]*)】",
    r"`([^`]*)`",
    r"‘([^’]*)’(?!\w)",
    r"(?<!\w)'([^']*)'(?!\w)",
)
_QUOTED = re.compile("|".join(_QUOTES))


def cut(instruction: Instruction, sources: Container[str] = FACTS) -> str:
    """The text with the spans of these sources cut out; offsets are not kept."""
    parts: list[str] = []
    at = 0
    for start, end in _merged(instruction, sources):
        parts += [instruction.text[at:start], CUT]
        at = end
    return "".join([*parts, instruction.text[at:]])


def quoted(text: str) -> Iterator[str]:
    """Every quoted string, without its quotes, in any language's quotes."""
    for found in _QUOTED.finditer(text):
        yield next(group for group in found.groups() if group is not None)


def unquoted(text: str) -> str:
    """The text without what stands in quotation marks: words that are used, not mentioned."""
    return _QUOTED.sub(" ", text)


def said(instruction: Instruction, span: Span) -> str:
    """The words that a span covers."""
    return instruction.text[span.start : span.end]


def exact(text: str) -> str:
    """NFC and nothing else: what "verbatim" means."""
    return unicodedata.normalize("NFC", text)


def labels(plan: TaskPlan) -> frozenset[str]:
    """What the App itself calls things on this plan's path, in the crawled language."""
    fields = (value.label for value in plan.values)
    # A name like "Search (Bills)" is two of the App's labels, joined to tell it from its like.
    name = (plan.name, *re.split(r"\s*[(（)）]", plan.name))
    own = (*plan.labels, *fields, *name, plan.title, plan.object, plan.page)
    return frozenset(label for label in own if label)


def _merged(instruction: Instruction, sources: Container[str]) -> Iterator[tuple[int, int]]:
    end = 0
    for span in sorted(instruction.spans, key=lambda span: (span.start, span.end)):
        if span.source in sources and span.end > end:
            yield max(span.start, end), span.end
            end = span.end

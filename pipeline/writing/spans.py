"""Where an instruction's words come from: the stretches that repeat the plan's values, item and labels, and
the verb that asks for its effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline.proof.lexicon import verbs
from pipeline.proof.wording import labels
from pipeline.writing.words import said_values
from schemas.task import Span, TaskPlan

# Words end where Latin letters and digits do: Chinese writes "金额为42元" without a space.
_LETTER = "A-Za-zÀ-ÿ0-9_"
_BEFORE, _AFTER = rf"(?<![{_LETTER}])(?<!\d[.,])", rf"(?![{_LETTER}])(?![.,]\d)"
_EDGE = re.compile(f"[{_LETTER}]")


def spans_of(text: str, plan: TaskPlan) -> tuple[Span, ...]:
    """All spans in order. Long facts take their place before short ones, so that no fact lies within
    another; a verb may lie within a label.
    """
    taken: list[Span] = []
    facts = [(plan.entity, "entity", "entity")] if plan.entity else []
    facts += [(value.shown, "value", value.name) for value in said_values(plan)]
    for shown, source, of in sorted(facts, key=lambda fact: -len(fact[0])):
        found = next(places(text, shown, taken), None)
        if found:
            taken.append(Span(start=found[0], end=found[1], source=source, of=of))
    for label in sorted(labels(plan), key=lambda label: (-len(label), label)):
        source = "title" if label == plan.title else "label"
        taken += [
            Span(start=start, end=end, source=source, of=label)
            for start, end in places(text, label, taken, fold=True)
        ]
    return tuple(sorted([*taken, *_verb(text, plan, taken)], key=lambda span: (span.start, span.end)))


def repeated(text: str, plan: TaskPlan, spans: tuple[Span, ...]) -> str:
    """A value or entity that the text says again outside its span, else an empty string."""
    for shown in (plan.entity, *(value.shown for value in said_values(plan))):
        if shown and next(places(text, shown, spans), None):
            return shown
    return ""


def places(
    text: str, words: str, taken: Sequence[Span] = (), *, fold: bool = False
) -> Iterator[tuple[int, int]]:
    """Where the words stand as whole words and outside what is taken; ``fold`` ignores case."""
    left = _BEFORE if _EDGE.match(words[0]) else ""
    right = _AFTER if _EDGE.match(words[-1]) else ""
    pattern = re.compile(left + re.escape(words) + right, re.IGNORECASE if fold else 0)
    for match in pattern.finditer(text):
        if not any(span.start < match.end() and match.start() < span.end for span in taken):
            yield match.span()


def _verb(text: str, plan: TaskPlan, taken: list[Span]) -> Iterator[Span]:
    facts = [span for span in taken if span.source in {"value", "entity"}]
    spoken = [next(places(text, verb, facts), None) for verb in verbs(text, plan.lang, plan.effect)]
    found = [place for place in spoken if place]
    if found:
        start, end = min(found)
        yield Span(start=start, end=end, source="verb", of=plan.verb)

"""Gate ``language``: the instruction speaks the language it claims, and the UI text it quotes is of the
locale that was crawled.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.proof.wording import CUT, cut, labels, quoted, said
from pipeline.text.language import speaks
from pipeline.verdicts.matchers import normal
from schemas.proof import Check, Gate
from schemas.task import Task

_UI = frozenset({"label", "title"})


def check(task: Task) -> Check:
    """Static: reads the task alone. Quoted UI text and values may be in any language and do not count."""
    problem = next(_problems(task), "")
    return Check(gate=Gate.LANGUAGE, passed=not problem, detail=problem or f"speaks {task.plan.lang}")


def _problems(task: Task) -> Iterator[str]:
    crawled = {normal(label) for label in labels(task.plan)}
    for text in _ui_text(task):
        if normal(text) not in crawled:
            yield f"{text!r} is not what the App says in {task.plan.lang}"
    own_words = cut(task.instruction).replace(CUT, " ")
    ok, heard, confidence = speaks(own_words, task.plan.lang)
    if not ok:
        yield f"it speaks {heard or 'no known language'} ({confidence:.2f}), not {task.plan.lang}"


def _ui_text(task: Task) -> Iterator[str]:
    """UI text that the instruction quotes: label spans, and quoted strings that no span explains."""
    yield from (said(task.instruction, span) for span in task.instruction.spans if span.source in _UI)
    for inner in quoted(cut(task.instruction)):
        if inner.replace(CUT, "").strip():
            yield inner.replace(CUT, "…")

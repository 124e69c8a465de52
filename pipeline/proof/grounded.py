"""Gate ``grounded``: everything that an instruction claims traces to the plan, and the plan's values are
all in it, verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pipeline.proof.lexicon import CONTRADICTS, UNSPACED, counts, primary, verbs
from pipeline.proof.wording import CUT, VALUES, cut, exact, labels, quoted, said
from pipeline.verdicts.matchers import normal
from schemas.proof import Check, Gate
from schemas.task import Span, Task, TaskPlan

_ADDRESS = re.compile(r"\S+@[\w.-]+\.\w+|\w+://\S+|www\.\S+|\b[\w-]+\.(?:com|org|net|io|de|fr|es|cn|jp)\b")
_DIGITS = re.compile(r"\d+(?:[.,:/\-]\d+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;…]\s|\n)\W*")
_CAPITALISED = re.compile(r"[^\W\d_a-zß-öø-ÿ][\w'’-]*")
_LATIN = re.compile(r"[A-Za-zÀ-ÿ][\w'’-]+")
_ALWAYS_CAPITAL = {"i", "i'm", "i’m", "i'd", "i’d", "i'll", "i’ll", "i've", "i’ve"}


def check(task: Task) -> Check:
    """Static: reads the task alone. The detail names the first claim without a source."""
    problem = next(_problems(task), "")
    return Check(gate=Gate.GROUNDED, passed=not problem, detail=problem or "every claim has its source")


def _problems(task: Task) -> Iterator[str]:
    yield from _false_spans(task)
    yield from _missing(task)
    yield from _claims(task)
    yield from _wrong_verbs(task)


def _false_spans(task: Task) -> Iterator[str]:
    text = task.instruction.text
    for span in task.instruction.spans:
        if not 0 <= span.start < span.end <= len(text):
            yield f"the span of {span.of!r} lies outside the text"
        elif not _true(task, span):
            yield f"{said(task.instruction, span)!r} is not the plan's {span.source} {span.of!r}"


def _true(task: Task, span: Span) -> bool:
    plan, words = task.plan, said(task.instruction, span)
    if span.source in VALUES:
        return exact(words) in _shown(plan, span)
    if span.source == "verb":
        return True  # words of the language; _wrong_verbs looks at them
    return normal(words) == normal(span.of) and normal(words) in set(map(normal, labels(plan)))


def _shown(plan: TaskPlan, span: Span) -> set[str]:
    """How the plan spells what a value or entity span points to."""
    spelled = {exact(value.shown) for value in plan.values if value.name == span.of}
    return spelled | ({exact(plan.entity)} if span.source == "entity" and plan.entity else set())


def _missing(task: Task) -> Iterator[str]:
    plan = task.plan
    covered = {
        exact(said(task.instruction, span)) for span in task.instruction.spans if span.source in VALUES
    }
    wanted = [(value.label or value.name, value.shown) for value in plan.values if not _secret(value.value)]
    if plan.entity:
        wanted.append(("entity", plan.entity))
    for name, shown in wanted:
        if shown and exact(shown) not in covered:
            yield f"the instruction does not say {name} {shown!r} verbatim in a span of its own"


def _secret(value: str) -> bool:
    return value.startswith("{secret:")


def _claims(task: Task) -> Iterator[str]:
    """Whatever looks like a fact and lies outside every span."""
    rest, lang = cut(task.instruction), task.plan.lang
    for inner in quoted(rest):
        if any(letter.isalnum() for letter in inner):
            yield f"{inner.replace(CUT, '…')!r} is quoted and has no source"
        elif CUT not in inner:
            yield "it quotes nothing between its quotation marks"
    for address in _ADDRESS.findall(rest):
        yield f"the address {address!r} has no source"
    for number in (*_DIGITS.findall(rest), *counts(rest, lang)):
        yield f"the number {number!r} has no source"
    for name in _names(rest, task):
        yield f"the name {name!r} has no source"


def _names(rest: str, task: Task) -> Iterator[str]:
    plan, lang = task.plan, primary(task.plan.lang)
    known = _vocabulary(plan)
    if lang in UNSPACED:
        yield from (word for word in _LATIN.findall(rest) if word.casefold() not in known)
        return
    starts = {found.end() for found in _SENTENCE_START.finditer(rest)}
    foreign = [
        found
        for found in _CAPITALISED.finditer(rest)
        if found.start() not in starts and found.group().casefold() not in known
    ]
    if lang != "de":
        yield from (found.group() for found in foreign)
        return
    # German capitalises every noun: there only two in a row look like a name.
    for one, two in pairwise(foreign):
        if rest[one.end() : two.start()] == " ":
            yield f"{one.group()} {two.group()}"


def _vocabulary(plan: TaskPlan) -> set[str]:
    """Words that may be written with a capital, or in Latin letters, because the App uses them."""
    own = " ".join((*labels(plan), plan.app))
    return {word.casefold() for word in re.findall(r"[\w'’-]+", own)} | _ALWAYS_CAPITAL


def _wrong_verbs(task: Task) -> Iterator[str]:
    plan, instruction = task.plan, task.instruction
    spoken = cut(instruction, VALUES)
    own = {normal(label) for label in (*plan.labels[-1:], plan.name) if label}
    if not verbs(spoken, plan.lang, plan.effect) and not any(label in normal(spoken) for label in own):
        yield f"no word of the instruction says {plan.effect.value}"
    rest = cut(instruction)
    for other in sorted(CONTRADICTS.get(plan.effect, ())):
        for word in verbs(rest, plan.lang, other, plain=True):
            yield f"{word!r} says {other.value}, the task is {plan.effect.value}"

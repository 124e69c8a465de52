"""Whether a sentence says what each value is for. A model leaves labels out where people would too ("on
2027-03-14", "paid by Alice"); what is left must still tell the values apart, or somebody who reads the
sentence fills the wrong field.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pipeline.proof.lexicon import UNSPACED, primary
from pipeline.proof.wording import CUT, VALUES, cut
from pipeline.writing.words import said_values
from schemas.capability import ParameterKind
from schemas.effect import EffectClass
from schemas.task import Task, TaskPlan, Value

_K = ParameterKind
_SELF_EVIDENT = frozenset({_K.DATE, _K.TIME, _K.EMAIL, _K.URL, _K.QUERY, _K.FILE})
_NAMING = frozenset({_K.TEXT, _K.NAME})
_WORD = re.compile(r"[^\W\d_]+")
_EMPTY_WORDS = frozenset(
    "a an and are at by do does for how in is it its many much new of on or the their this to was what when"  # noqa: SIM905 - prose
    " where which who whom whose why will with you your"
    " address amount date day email link mail price sum time total url website".split()
)
_EMPTY_CHARACTERS = frozenset("的了么什多少时候吗个这请是在和或谁哪为您你我日期间金额价格数量邮箱网址")
_AMOUNT = (
    r"\b(?:amount|price|total|cost|sum|worth|spent|spend|paid|pay)\w*"
    "|金额|价格|总额|总价|数额|费用|花费|花了|价"
)
_CUES = {
    _K.AMOUNT: _AMOUNT,
    _K.NUMBER: _AMOUNT,
    _K.DATE: r"\b(?:date|day)\w*|日期|时间",
    _K.TIME: r"\btime\w*|时间",
    _K.EMAIL: r"\be-?mail\w*|邮箱|邮件",
    _K.URL: r"\b(?:link|url|website|address)\w*|链接|网址|网站",
}
"""Words that say what a value of that kind is."""


def unsaid(task: Task) -> Iterator[Value]:
    """The values whose meaning the sentence leaves open."""
    values = said_values(task.plan)
    kinds = Counter(value.kind for value in values)
    labels = {span.of for span in task.instruction.spans if span.source == "label"}
    own = cut(task.instruction, VALUES).replace(CUT, " ").casefold()
    for place, value in enumerate(values):
        if value.label in labels or _names_the_new(place, value, task):
            continue
        telling = _telling(value.label, task.plan)
        if telling:
            clear = _hinted(telling, own, task.plan.lang)
        else:
            clear = kinds[value.kind] == 1 and _speaks_for_itself(value, own, task.plan.effect)
        if not clear:
            yield value


def swapped(task: Task) -> bool:
    """Whether a new value stands before the item that is to get it: "rename Alicia to Alice"."""
    entity = [span.start for span in task.instruction.spans if span.source == "entity"]
    values = [span.start for span in task.instruction.spans if span.source == "value"]
    return task.plan.effect is EffectClass.UPDATE and bool(entity and values) and min(values) < entity[0]


def _names_the_new(place: int, value: Value, task: Task) -> bool:
    """A new thing's first text is what it is called: "add the bill “Dinner”"."""
    first = next((at for at, other in enumerate(said_values(task.plan)) if other.kind in _NAMING), -1)
    return task.plan.effect is EffectClass.CREATE and place == first and value.kind in _NAMING


def _speaks_for_itself(value: Value, own: str, effect: EffectClass) -> bool:
    """A date is a date; but "edit the bill on 2027-01-11" is no change of its date."""
    if value.kind in _SELF_EVIDENT and effect is not EffectClass.UPDATE:
        return True
    cue = _CUES.get(value.kind)
    return cue is not None and re.search(cue, own) is not None


def _hinted(telling: tuple[str, ...], own: str, lang: str) -> bool:
    """Whether the sentence has one of the words, or half of the characters where words are not spaced."""
    needed = (len(telling) + 1) // 2 if primary(lang) in UNSPACED else 1
    return sum(piece in own for piece in telling) >= needed


def _telling(label: str, plan: TaskPlan) -> tuple[str, ...]:
    """What a label is about beyond the value's kind and the task as a whole: its words, or its characters
    where words are not spaced. Nothing for "How much?" and "Date".
    """
    if primary(plan.lang) in UNSPACED:
        empty = _EMPTY_CHARACTERS | set(plan.name) | set(plan.object)
        return tuple(each for each in label.casefold() if each.isalpha() and each not in empty)
    known = _EMPTY_WORDS.union(_WORD.findall(f"{plan.name} {plan.object}".casefold()))
    return tuple(word for word in _WORD.findall(label.casefold()) if word not in known)

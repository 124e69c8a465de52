"""What is wrong with a sentence that a model wrote. The proof's own gates are asked first, so that a model's
sentence never fails later where a template's would have passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pipeline.proof import grounded, language
from pipeline.proof.lexicon import UNSPACED, primary
from pipeline.proof.wording import CUT, cut
from pipeline.text.duplicates import shingles
from pipeline.writing.cues import swapped, unsaid
from pipeline.writing.spans import repeated
from pipeline.writing.words import said_values
from prompts.contexts import WriterContext
from schemas.task import Task

LONGEST = 160
"""Characters of the model's own, values and labels apart."""
_MECHANICS = re.compile(
    r"\b(?:click\w*|tap\w*|press\w*|button\w*|textbox|dropdown|checkbox|cursor|scroll\w*)\b"
    "|点击|单击|点按|按下|按钮|输入框|文本框|下拉|滚动",
    re.IGNORECASE,
)
_DATA = re.compile(r"\bthe item\b|</?data>|对象|任务[:：]", re.IGNORECASE)
"""Words of the prompt's own format."""
_STOP = re.compile(r"[.!?](?=\s)|[。！？;；\n]")
_QUOTED = re.compile("“[^”]*”")
_ANSWERS = re.compile(
    r"^(?:sure|certainly|of course|here|request|sentence|i |i'|the user|you )|^(?:好的|当然|请求|用户|我)",
    re.IGNORECASE,
)


def fault_of(task: Task, words: WriterContext) -> str:
    """The first fault in one sentence; empty when the text will do."""
    return next(_faults(task, words), "")


def _faults(task: Task, words: WriterContext) -> Iterator[str]:
    for gate in (grounded.check, language.check):
        verdict = gate(task)
        if not verdict.passed:
            yield verdict.detail
    again = repeated(task.instruction.text, task.plan, task.instruction.spans)
    if again:
        yield f"it says {again!r} twice"
    echo = _echo(task)
    if echo:
        yield f"it says {echo!r} again"
    yield from _bad_manners(task)
    for value in unsaid(task):
        yield f"it does not say that {value.shown!r} is {value.label!r}"
    if swapped(task):
        yield "it names the new value before the item that is to get it"
    if words.action and words.control.casefold() not in task.instruction.text.casefold():
        yield f"it does not name {words.control!r}"
    if not _says_goal(task.instruction.text, words, task.plan.lang):
        yield "it does not say what it is about"


def _bad_manners(task: Task) -> Iterator[str]:
    text, own = task.instruction.text, cut(task.instruction).replace(CUT, "")
    if len(own) > LONGEST:
        yield f"it has {len(own)} characters of its own"
    if _STOP.search(_QUOTED.sub("", text)[:-1]):
        yield "it is more than one sentence"
    if _ANSWERS.match(text):
        yield "it does not ask for anything"
    if ":" in own or "：" in own or _DATA.search(own):
        yield "it reads like a form"
    mechanics = _MECHANICS.search(own)
    if mechanics:
        yield f"{mechanics[0]!r} says how, not what"


def _echo(task: Task) -> str:
    """Two neighbouring words of a value that the sentence also says outside it: "“Taxi to town” to town"."""
    own = f" {cut(task.instruction).replace(CUT, ' ').casefold()} "
    for value in said_values(task.plan):
        words = value.shown.casefold().split()
        for pair in (f" {one} {two}" for one, two in pairwise(words)):
            if pair in own:
                return pair.strip()
    return ""


def _says_goal(text: str, words: WriterContext, lang: str) -> bool:
    """Whether a telling piece of the goal is in the text: four letters of a word, two Chinese characters."""
    goal = " ".join(line for line in (words.action, words.control, words.place) if line)
    pieces = {piece for piece in shingles(goal) if " " not in piece}
    size = 2 if primary(lang) in UNSPACED else 4
    pieces = {piece for piece in pieces if len(piece) == size}
    return not pieces or bool(pieces & shingles(text))

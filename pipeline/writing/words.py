"""What a TaskPlan offers to say: the App's own imperative where it has one, else control and place; the item
that is meant; each value with its label.
"""

from __future__ import annotations

import re

from pipeline.mining.naming import is_specific
from pipeline.proof.lexicon import UNSPACED, primary, verbs
from prompts.contexts import Said, WriterContext
from schemas.capability import ParameterKind
from schemas.effect import EffectClass
from schemas.task import TaskPlan, Value

_SCREENS = frozenset({EffectClass.NAVIGATE, EffectClass.OPEN, EffectClass.CLOSE})
"""Effects that are about a screen or a part of it, and need no other place."""
_WITH_CONTEXT = re.compile(r"(?P<head>.+?)\s*[(（](?P<rest>[^()（）]+)[)）]")
_PLAIN_KINDS = frozenset({ParameterKind.NUMBER, ParameterKind.AMOUNT, ParameterKind.DATE, ParameterKind.TIME})
_PLAIN = re.compile(r"[+-]?\d[\d.,:/\-]*%?|[\w.+-]+@[\w.-]+\.\w+|https?://\S*\w/?")
_NAME = re.compile(r"[A-ZÀ-Þ][\w’'-]*")


def words_of(plan: TaskPlan) -> WriterContext:
    """The plan's words. A value whose label is the action itself ("Add participant") is said as the item."""
    head, rest = _split(plan)
    action = _action(plan, head)
    values = said_values(plan)
    alike = [value for value in values if not plan.entity and _same(value.label, action)]
    fields = tuple(_said(value, plan.lang) for value in values if value not in alike[:1])
    place = _place(plan, head, rest)
    return WriterContext(
        effect=plan.effect.value,
        action=_capital(action, plan.lang),
        control="" if _same(head, action) or _says_only_verb(head, plan) else head,
        place="" if _same(action, place) else place,
        entity=plan.entity or "".join(value.shown for value in alike[:1]) or _whose(plan, rest),
        fields=fields,
    )


def said_values(plan: TaskPlan) -> tuple[Value, ...]:
    """The values that an instruction must say: secrets are the App's, and the entity is said as such."""
    return tuple(
        value
        for value in plan.values
        if value.shown.strip()
        and not value.value.startswith("{secret:")
        and not (plan.entity and value.shown == plan.entity and value.kind is ParameterKind.ENTITY)
    )


def _split(plan: TaskPlan) -> tuple[str, str]:
    """``delete (Bills)`` → its label and what was put behind to tell it from its like."""
    match = _WITH_CONTEXT.fullmatch(plan.name.strip())
    if match and match["rest"] in {plan.object, plan.title, plan.page, *plan.labels}:
        return match["head"], match["rest"]
    return plan.name.strip(), ""


def _action(plan: TaskPlan, head: str) -> str:
    """The control's label or the screen's heading, whichever is an imperative; rather one whose verb can
    mean nothing else ("Add a bill", not "Submit and add another").
    """
    if plan.effect is EffectClass.NAVIGATE:
        return ""  # "Add a bill" is then the name of a screen and nothing that is asked for
    lines = [line for line in (head, plan.object) if _is_imperative(line, plan)]
    plain = [line for line in lines if _begins(line, verbs(line, plan.lang, plan.effect, plain=True))]
    return next(iter([*plain, *lines]), "")


def _place(plan: TaskPlan, head: str, rest: str) -> str:
    """Where it is done. "Deactivate “Bob”" needs none; what "delete" takes away is told by where it is."""
    if plan.effect is EffectClass.NAVIGATE:
        return head
    alone = bool(plan.entity) and plan.effect is not EffectClass.DELETE
    return rest or ("" if alone or plan.effect in _SCREENS else plan.object or plan.title)


def _whose(plan: TaskPlan, rest: str) -> str:
    """Of several screens called the same ("History"), what this one belongs to."""
    return rest if plan.effect is EffectClass.NAVIGATE else ""


def _is_imperative(line: str, plan: TaskPlan) -> bool:
    """Whether a label asks for the effect by itself: it begins with a verb and says what it is about."""
    found = verbs(line, plan.lang, plan.effect)
    if not _begins(line, found) or not is_specific(line):
        return False
    return any(letter.isalpha() for letter in line.removeprefix(found[0]))


def _begins(line: str, found: tuple[str, ...]) -> bool:
    return bool(found) and line.startswith(found[0])


def _says_only_verb(label: str, plan: TaskPlan) -> bool:
    return not label or (bool(verbs(label, plan.lang, plan.effect)) and not is_specific(label))


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _capital(line: str, lang: str) -> str:
    return line if primary(lang) in UNSPACED else line[:1].upper() + line[1:]


def _said(value: Value, lang: str) -> Said:
    name = primary(lang) not in UNSPACED and bool(_NAME.fullmatch(value.shown))
    plain = value.kind in _PLAIN_KINDS or bool(_PLAIN.fullmatch(value.shown)) or name
    label = value.label.strip() or value.name
    return Said(label=label, text=value.shown, plain=plain, sought=value.kind is ParameterKind.QUERY)

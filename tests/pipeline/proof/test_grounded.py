from __future__ import annotations

from typing import Any

import pytest

from pipeline.proof import grounded
from pipeline.proof.lexicon import CONTRADICTS, knows, verbs
from schemas.capability import ParameterKind
from schemas.effect import EffectClass
from schemas.task import Span, Task, Value

NAME, AMOUNT = ("value", "name", "Bread"), ("value", "amount", "4")


def refused(task: Task) -> str:
    check = grounded.check(task)
    assert check.passed is (check.detail == "every claim has its source")
    return "" if check.passed else check.detail


def test_a_grounded_instruction_passes(world: Any) -> None:
    assert not refused(world.add_task())
    assert not refused(world.delete_task())
    assert not refused(world.visit_task())


@pytest.mark.parametrize(
    "text, reason",
    [
        ("Add Bread and “Butter”, amount 4.", "'Butter' is quoted"),
        ("Add Bread, amount 4, in 'the kitchen'.", "'the kitchen' is quoted"),
        ("Add Bread, amount 4, to 《清单》.", "'清单' is quoted"),
        ("Add Bread, amount 4, to “”.", "it quotes nothing"),
        ("Add Bread, amount 4, for 12.50.", "the number '12.50'"),
        ("Add Bread, amount 4, twice.", "the number 'twice'"),
        ("Add Bread, amount 4, for bob@example.org.", "the address 'bob@example.org'"),
        ("Add Bread, amount 4, as on www.example.org", "the address 'www.example.org'"),
        ("Add Bread, amount 4, for Uncle Bob.", "the name 'Uncle'"),
        ("Add Bread, amount 4. Tell Bob.", "the name 'Bob'"),
        ("Bread 4, please.", "no word of the instruction says create"),
        ("Add Bread, amount 4, and delete the rest.", "'delete' says delete"),
    ],
)
def test_a_claim_without_a_source_is_refused(world: Any, text: str, reason: str) -> None:
    assert refused(world.add_task(world.words(text, NAME, AMOUNT))).startswith(reason)


def test_what_the_app_says_may_be_said(world: Any) -> None:
    for text in ("Add Bread to Items, Amount 4.", "I'd like to add Bread, 4 of it.", "“Add item”: Bread, 4."):
        spans = [NAME, AMOUNT]
        if "“" in text:
            spans.append(("label", "Add item", "Add item"))
        assert not refused(world.add_task(world.words(text, *spans))), text


def test_every_value_must_be_said_verbatim_in_a_span(world: Any) -> None:
    assert "Amount '4' verbatim" in refused(world.add_task(world.words("Add Bread.", NAME)))
    lower = world.words("Add bread, amount 4.", ("value", "name", "bread"), AMOUNT)
    assert refused(world.add_task(lower)) == "'bread' is not the plan's value 'name'"
    assert "Name 'Bread' verbatim" in refused(world.add_task(world.words("Add Bread, amount 4.", AMOUNT)))
    plan = world.delete_task().plan
    other = Task(id="tk", plan=plan, instruction=world.words("Delete it."))
    assert "entity 'Hammer' verbatim" in refused(other)


def test_a_secret_is_never_said(world: Any) -> None:
    code = Value(
        name="code", label="Code", kind=ParameterKind.PASSWORD, value="{secret:code}", shown="{secret:code}"
    )
    plan = world.add_plan()
    assert not refused(world.add_task(values=(*plan.values, code)))


@pytest.mark.parametrize(
    "span, reason",
    [
        (Span(start=0, end=99, source="value", of="name"), "the span of 'name' lies outside"),
        (Span(start=5, end=5, source="value", of="name"), "the span of 'name' lies outside"),
        (Span(start=0, end=3, source="label", of="Name"), "'Add' is not the plan's label 'Name'"),
        (Span(start=0, end=3, source="label", of="Add"), "'Add' is not the plan's label 'Add'"),
        (Span(start=0, end=3, source="entity", of="entity"), "'Add' is not the plan's entity"),
    ],
)
def test_spans_must_be_true(world: Any, span: Span, reason: str) -> None:
    good = world.add_task().instruction
    task = world.add_task(good.model_copy(update={"spans": (*good.spans, span)}))
    assert refused(task).startswith(reason)


@pytest.mark.parametrize(
    "lang, text, reason",
    [
        ("zh-Hans", "添加“Bread”，数量4。", ""),
        ("zh-Hans", "添加“Bread”，数量4，共三个。", "the number '三个'"),
        ("zh-Hans", "添加“Bread”，数量4，给 Bob。", "the name 'Bob'"),
        ("zh-Hans", "添加“Bread”，数量4，放进「厨房」。", "'厨房' is quoted"),
        ("zh-Hans", "删除“Bread”，数量4。", "no word"),
        ("zh-Hans", "添加并删除“Bread”，数量4。", "'删除' says delete"),
        ("ja", "「Bread」を4個追加してください。", ""),
        ("ja", "「Bread」を4個削除してください。", "no word"),
        ("de", "Füge „Bread“ mit Menge 4 hinzu.", ""),
        ("de", "Füge „Bread“ mit Menge 4 für Onkel Bob hinzu.", "the name 'Onkel Bob'"),
        ("de", "Lösche „Bread“, 4 Stück.", "no word"),
        ("fr", "Ajoute « Bread » avec la quantité 4.", ""),
        ("fr", "Ajoute « Bread », quantité 4, pour Alice.", "the name 'Alice'"),
        ("fr", "Supprime « Bread », quantité 4.", "no word"),
        ("es", "Añade «Bread» con cantidad 4.", ""),
        ("es", "Añade «Bread» con cantidad 4, dos veces.", "the number 'dos'"),
        ("es", "Elimina «Bread», cantidad 4.", "no word"),
        ("ko", "Bread 4 Add item", ""),
        ("ko", "Bread 4", "no word"),
    ],
)
def test_languages(world: Any, lang: str, text: str, reason: str) -> None:
    task = world.add_task(world.words(text, NAME, AMOUNT), lang=lang)
    detail = refused(task)
    assert detail.startswith(reason)
    assert bool(detail) is bool(reason), detail


def test_words_inside_values_prove_and_contradict_nothing(world: Any) -> None:
    value = world.add_plan().values[0].model_copy(update={"value": "Delete 7", "shown": "Delete 7"})
    spans = (("value", "name", "Delete 7"),)
    assert not refused(world.add_task(world.words("Add “Delete 7”.", *spans), values=(value,)))
    add = value.model_copy(update={"value": "add", "shown": "add"})
    silent = world.add_task(world.words("“add” please.", ("value", "name", "add")), values=(add,))
    assert refused(silent) == "no word of the instruction says create"


def test_the_lexicon_speaks_six_languages_about_every_class_that_tasks_have() -> None:
    told = set(EffectClass) - {EffectClass.NONE, EffectClass.INVALID}
    for lang in ("en", "zh-Hans", "de", "fr", "ja", "es"):
        assert knows(lang)
        assert set(CONTRADICTS) <= told
    assert verbs("Please get rid of it", "en", EffectClass.DELETE) == ("get rid",)
    assert verbs("the address", "en", EffectClass.CREATE) == ()
    assert verbs("anything", "xx", EffectClass.CREATE) == ()

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import Any

import pytest

from pipeline.errors import ModelError
from pipeline.models.completion import Completion
from pipeline.models.scripted import ScriptedChat
from pipeline.proof import grounded, language
from pipeline.stages.instruct import Instruct
from prompts import Prompt, template_hash
from schemas.effect import EffectClass
from schemas.rejection import Rejection
from schemas.task import Task, TaskPlan

SAID = "Add the item “Bread” with the amount 4."


@dataclass
class Recorder:
    """Fails every request and says whether its endpoint is still there."""

    gone: bool = False
    model: str = "recorder"
    identity: str = "recorder"
    asked: list[tuple[int, float]] = field(default_factory=list)

    def complete(self, _: Prompt, *, seed: int, temperature: float, **__: Any) -> Completion:
        self.asked.append((seed, temperature))
        return Completion(error="timed out")

    def check(self) -> None:
        if self.gone:
            raise ModelError("No model answers.")


def only(stage: Instruct, plan: TaskPlan) -> Task:
    (task,) = stage(plan)
    assert isinstance(task, Task)
    return task


def script(*replies: str) -> ScriptedChat:
    return ScriptedChat((("<data>", replies),))


@pytest.fixture
def plan(world: Any) -> TaskPlan:
    made: TaskPlan = world.add_plan()
    return made


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("effect", [EffectClass.CREATE, EffectClass.UPDATE, EffectClass.SEARCH])
def test_what_a_template_writes_is_grounded_and_speaks_the_language(
    effect: EffectClass, lang: str, plan: TaskPlan
) -> None:
    for number in range(12):
        other = plan.model_copy(update={"id": f"pl_{number}", "lang": lang, "effect": effect})
        task = only(Instruct(), other)

        assert task.instruction.writer == "template"
        assert task.instruction.prompt == template_hash(f"{lang}/instruction.j2")
        assert grounded.check(task).passed, grounded.check(task).detail
        assert language.check(task).passed, language.check(task).detail


def test_wordings_vary_by_plan_and_never_by_run(plan: TaskPlan) -> None:
    plans = [plan.model_copy(update={"id": f"pl_{number}"}) for number in range(12)]

    texts = [only(Instruct(), each).instruction.text for each in plans]

    assert len(set(texts)) > 1
    assert texts == [only(Instruct(), each).instruction.text for each in plans]
    assert [only(Instruct(), each).id for each in plans] == [only(Instruct(), each).id for each in plans]


def test_a_models_sentence_that_holds_is_taken_with_its_origin(plan: TaskPlan) -> None:
    task = only(Instruct(script(SAID)), plan)

    assert task.instruction.text == SAID
    assert (task.instruction.writer, task.instruction.model, task.instruction.tries) == (
        "model",
        "scripted",
        1,
    )
    assert task.instruction.prompt == template_hash("en/writer.j2")
    assert {span.source for span in task.instruction.spans} >= {"verb", "value"}


@pytest.mark.parametrize(
    "junk",
    [
        "",
        "Sure! Here is the request:",
        "Add the item “Bread” with the amount 5.",
        "Add the item with the amount 4.",
        "Remove the item “Bread” with the amount 4.",
        "Click Save to add the item “Bread” with the amount 4.",
        "把“Bread”添加到清单，数量 4。",
        '{"instruction": "Add it"}',
        "word " * 200,
    ],
)
def test_junk_costs_a_try(junk: str, plan: TaskPlan) -> None:
    assert only(Instruct(script(junk, SAID)), plan).instruction.tries == 2

    beaten = only(Instruct(script(junk), tries=3), plan).instruction
    assert (beaten.writer, beaten.model, beaten.tries) == ("template", "", 3)
    assert grounded.check(only(Instruct(script(junk)), plan)).passed


def test_tries_differ_in_seed_and_the_first_takes_the_likeliest_words(plan: TaskPlan) -> None:
    chat = Recorder()

    task = only(Instruct(chat, tries=3, seed=10), plan)

    assert [seed for seed, _ in chat.asked] == [10, 11, 12]
    assert [temperature > 0 for _, temperature in chat.asked] == [False, True, True]
    assert task.instruction.writer == "template"


def test_an_endpoint_that_is_gone_ends_the_command(plan: TaskPlan) -> None:
    with pytest.raises(ModelError):
        list(Instruct(Recorder(gone=True))(plan))


def test_a_screens_name_is_not_worth_asking_for(world: Any) -> None:
    chat = Recorder()

    task = only(Instruct(chat), world.visit_task().plan)

    assert not chat.asked
    assert "“Settings”" in task.instruction.text


def test_a_language_that_nobody_writes_is_a_rejection(plan: TaskPlan) -> None:
    (rejection,) = Instruct(script(SAID))(plan.model_copy(update={"lang": "eo"}))

    assert isinstance(rejection, Rejection)
    assert (rejection.stage, rejection.item, rejection.reason) == ("instruct", plan.id, "no_templates")


def test_it_travels(plan: TaskPlan) -> None:
    stage = Instruct(script(SAID), tries=2, seed=1)

    assert list(pickle.loads(pickle.dumps(stage))(plan)) == list(stage(plan))  # noqa: S301 - our own bytes

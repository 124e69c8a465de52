"""Plans by hand, as an expense sharing App would give them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pipeline.writing.spans import spans_of
from schemas.capability import ParameterKind
from schemas.effect import EffectClass
from schemas.record import digest
from schemas.task import Instruction, Task, TaskPlan, Value, Visited

PlanMaker = Callable[..., TaskPlan]
TaskMaker = Callable[[str, TaskPlan], Task]

WHAT = Value(
    name="what", label="What?", kind=ParameterKind.TEXT, value="Dinner", shown="Dinner at the harbour"
)
PAYER = Value(name="payer", label="Who paid?", kind=ParameterKind.CHOICE, value="1", shown="Alice")
AMOUNT = Value(name="amount", label="How much?", kind=ParameterKind.AMOUNT, value="42.50", shown="42.50")


def _plan(**changes: Any) -> TaskPlan:
    plain = TaskPlan(
        id="pl_1",
        group="tg_1",
        app="expenses",
        app_id="ap_1",
        lang="en",
        capabilities=("fn_1",),
        effect=EffectClass.CREATE,
        verb="create",
        object="Bills",
        name="Add a bill",
        title="Bills",
        values=(WHAT, PAYER, AMOUNT),
        labels=("Add a new bill", "What?", "Who paid?", "How much?", "Submit"),
        path=(),
        keypoints=(Visited(id="kp_1", route="/", structure="sc_1"),),
        root="st_1",
    )
    plan = plain.model_copy(update=changes)
    return plan.model_copy(update={"id": digest("pl", plan.lang, plan.name, plan.entity)})


def _said(text: str, plan: TaskPlan) -> Task:
    return Task(
        id="tk_1",
        plan=plan,
        instruction=Instruction(text=text, writer="model", spans=spans_of(text, plan)),
    )


@pytest.fixture
def a_plan() -> PlanMaker:
    return _plan


@pytest.fixture
def said() -> TaskMaker:
    return _said


@pytest.fixture
def editing() -> TaskPlan:
    return _plan(
        effect=EffectClass.UPDATE,
        verb="update",
        object="Edit this bill",
        name="Edit this bill",
        entity="Groceries",
        values=(AMOUNT,),
        labels=("edit", "How much?", "Submit"),
    )

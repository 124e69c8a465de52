"""Tasks made by hand for the scripted App, and a world to execute them in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from crawlers.scripted import ScriptedHost, scripted_app
from pipeline.proof.trial import Trials
from pipeline.stages.prove import _do_nothing
from schemas.action import Action, Click, Respond, Select, Target, Type
from schemas.capability import Capability, CapabilityTree, Level, ParameterKind, Slot
from schemas.effect import EffectClass
from schemas.record import image_id
from schemas.task import (
    Carried,
    Forbidden,
    Happened,
    Instruction,
    Keypoint,
    NearMiss,
    Shown,
    Span,
    Task,
    TaskPlan,
    Value,
    Visited,
)
from schemas.verdict import Rule

APP = scripted_app()


def at(key: str, label: str = "", item: str = "") -> Target:
    return Target(key=key, template=key.partition("[")[0], role=key.partition(":")[0], label=label, item=item)


TO_FORM = Click(target=at("link:/items/add[0]", "Add item"))
SAVE = Click(target=at("button:send[0]", "Save"))


def typed(field: str, text: str) -> Type:
    return Type(target=at(f"{field}[0]", field), text=text)


def adding(name: str = "Bread", amount: str = "4") -> tuple[Action, ...]:
    return (TO_FORM, typed("textbox:name", name), typed("spinbutton:amount", amount), SAVE)


ADDED: tuple[Keypoint, ...] = (
    Happened(id="kp_added", signature="POST /items/add"),
    Carried(id="kp_name", signature="POST /items/add", field="name", value="Bread"),
    Carried(id="kp_amount", signature="POST /items/add", field="amount", value="4"),
    Shown(id="kp_shown", text="Bread"),
    Forbidden(id="kp_forbidden", allowed=("POST /items/add",)),
)


def add_plan(**changes: Any) -> TaskPlan:
    plan = TaskPlan(
        id="pl_add",
        group="tg_add",
        app=APP.name,
        app_id=APP.id,
        lang="en",
        capabilities=("fn_add",),
        effect=EffectClass.CREATE,
        verb="create",
        object="item",
        name="Add item",
        title="Items",
        values=(
            Value(name="name", label="Name", kind=ParameterKind.NAME, value="Bread", shown="Bread"),
            Value(name="amount", label="Amount", kind=ParameterKind.NUMBER, value="4", shown="4"),
        ),
        labels=("Add item", "Name", "Amount", "Save"),
        path=adding(),
        slots=(Slot(parameter="name", step=1), Slot(parameter="amount", step=2)),
        keypoints=ADDED,
        near_misses=(NearMiss(kind="wrong_parameter", detail="Amount: 5", path=adding(amount="5")),),
        root="st_root",
    )
    return plan.model_copy(update=changes)


def words(text: str, *spans: tuple[str, str, str]) -> Instruction:
    """An instruction whose spans are (source, of, words)."""
    places = tuple(
        Span(start=text.index(said), end=text.index(said) + len(said), source=source, of=of)
        for source, of, said in spans
    )
    return Instruction(text=text, writer="template", spans=places)


ADD_WORDS = words(
    "Add “Bread” to the items, with Amount 4.",
    ("value", "name", "Bread"),
    ("label", "Amount", "Amount"),
    ("value", "amount", "4"),
)


def add_task(instruction: Instruction = ADD_WORDS, **changes: Any) -> Task:
    return Task(id="tk_add", plan=add_plan(**changes), instruction=instruction)


def removing(number: int, item: str) -> tuple[Action, ...]:
    return (
        Click(target=at(f"button:/items/{{}}/delete[{number - 1}]", "Delete", item)),
        Respond(accept=True),
    )


def delete_task(**changes: Any) -> Task:
    plan = add_plan(
        id="pl_delete",
        capabilities=("fn_delete",),
        effect=EffectClass.DELETE,
        verb="delete",
        name="Delete (Items)",
        entity="Hammer",
        values=(),
        labels=("Delete",),
        path=removing(2, "Hammer 1 Tools"),
        slots=(),
        keypoints=(
            Happened(id="kp_gone", signature="POST /items/{}/delete", path="/items/2/delete"),
            Shown(id="kp_less", text="Hammer", present=False),
            Forbidden(id="kp_forbidden", allowed=("POST /items/{}/delete",)),
        ),
        near_misses=(NearMiss(kind="wrong_entity", detail="Rice", path=removing(3, "Rice 2 Food")),),
    )
    said = words("Delete “Hammer”.", ("entity", "entity", "Hammer"))
    return Task(id="tk_delete", plan=plan.model_copy(update=changes), instruction=said)


def visit_task(**changes: Any) -> Task:
    plan = add_plan(
        id="pl_visit",
        capabilities=("fn_settings",),
        effect=EffectClass.NAVIGATE,
        verb="open",
        name="Settings",
        title="Settings",
        values=(),
        labels=("Settings",),
        path=(Click(target=at("link:/settings[0]", "Settings")),),
        slots=(),
        keypoints=(Visited(id="kp_there", route="/settings", structure="sc_settings"),),
        near_misses=(
            NearMiss(
                kind="wrong_entity", detail="About", path=(Click(target=at("link:/about[0]", "About")),)
            ),
        ),
    )
    said = words("Open the “Settings” page.", ("title", "Settings", "Settings"))
    return Task(id="tk_visit", plan=plan.model_copy(update=changes), instruction=said)


def capability(name: str, labels: Sequence[str] = (), signature: str = "", **more: Any) -> Capability:
    return Capability(
        id=f"fn_{name.split(maxsplit=1)[0].lower()}",
        app=APP.name,
        lang="en",
        level=Level.ATOMIC,
        name=name,
        labels=tuple(labels),
        signature=signature or f"POST /{name.split(maxsplit=1)[0].lower()}",
        **more,
    )


def tree(*nodes: Capability) -> CapabilityTree:
    return CapabilityTree(app=APP.name, app_id=APP.id, lang="en", root="st_root", entry="/", nodes=nodes)


class Pool:
    """Hands out one started scripted Host per language."""

    def __init__(self) -> None:
        self.hosts: dict[str, ScriptedHost] = {}

    def host(self, app: Any, lang: str) -> ScriptedHost:
        if lang not in self.hosts:
            self.hosts[lang] = ScriptedHost(app, lang)
            self.hosts[lang].start()
        return self.hosts[lang]


class World:
    """Everything above, for tests that cannot import from one another."""

    app = APP
    at = staticmethod(at)
    typed = staticmethod(typed)
    adding = staticmethod(adding)
    add_plan = staticmethod(add_plan)
    add_task = staticmethod(add_task)
    delete_task = staticmethod(delete_task)
    visit_task = staticmethod(visit_task)
    words = staticmethod(words)
    capability = staticmethod(capability)
    tree = staticmethod(tree)
    added = ADDED
    save = SAVE
    to_form = TO_FORM
    food = Select(target=at("combobox:category[0]", "Category"), value="food", label="Food")
    tools = Select(target=at("combobox:category[0]", "Category"), value="tools", label="Tools")

    def __init__(self) -> None:
        self.pool = Pool()
        self.images: dict[str, bytes] = {}

    def keep(self, png: bytes) -> str:
        self.images[image_id(png)] = png
        return image_id(png)

    def trials(self, task: Task) -> Trials:
        host = self.pool.host(APP, task.plan.lang)
        return Trials(host, task, Rule(), self.keep, _do_nothing(host))


@pytest.fixture
def world() -> World:
    return World()

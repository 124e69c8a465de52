"""Exchange tasks: what is made in one program is used in another that runs beside it. Each is a file in
``exchange/`` and is proven on the real programs by the stage that proves all tasks.

A step is a table ``do = "click", at = KEY, …`` with the other fields of its Action; the path of a near miss
names steps of the reference path by their place, and gives in full those that are another.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from crawlers.platforms import HostPool
from crawlers.recipe import load
from pipeline.stages.prove import Prove
from schemas.action import Action
from schemas.proof import Candidate, Proved
from schemas.record import digest
from schemas.rejection import Rejection
from schemas.task import Instruction, Task, TaskPlan, Tier

FOLDER = Path(__file__).with_name("exchange")
_ACTION: TypeAdapter[Action] = TypeAdapter(Action)
_ITEM = re.compile(r"\[\d+\]")
_ROLE = re.compile(r"[a-z]+")


def tasks(names: Sequence[str] = ()) -> Iterator[Task]:
    """The tasks of these files, or of all, by name."""
    for path in sorted(FOLDER.glob("*.toml")):
        if not names or path.stem in names:
            yield _task(tomllib.loads(path.read_text(encoding="utf-8")))


def prove(task: Task) -> Proved | Rejection:
    """The task with its proof, or the gate that it failed; its programs go on running."""
    stage = Prove(pool=HostPool(), apps=(load(task.plan.app),), images=lambda _: "")
    (outcome,) = stage(Candidate(task=task, checks=()))
    return outcome


def proven() -> dict[str, Any]:
    """How many of the tasks are proven, and why others are not."""
    failed: dict[str, str] = {}
    langs: set[str] = set()
    known = list(tasks())
    for task in known:
        outcome = prove(task)
        HostPool().close_all()
        if isinstance(outcome, Rejection):
            failed[task.plan.name] = f"{outcome.reason}: {outcome.detail}"
        else:
            langs.add(task.plan.lang)
    return {"proven": len(known) - len(failed), "of": len(known), "langs": sorted(langs), "failed": failed}


def _task(told: dict[str, Any]) -> Task:
    instruction = Instruction(text=told.pop("instruction"), writer="template")
    app, path = load(told["app"]), _path(told.pop("path"))
    misses = [{**miss, "path": _path(miss["path"], path)} for miss in told.pop("near_misses")]
    plan = TaskPlan.model_validate(
        {
            **told,
            "id": digest("pl", app.id, told["lang"], instruction.text),
            "group": digest("tg", app.id, told["name"]),
            "app_id": app.id,
            "tier": Tier.WORKFLOW,
            "capabilities": (),
            "path": path,
            "near_misses": misses,
            "root": "",
        }
    )
    return Task(id=digest("tk", plan.id, instruction.text), plan=plan, instruction=instruction)


def _path(steps: Sequence[int | dict[str, Any]], reference: Sequence[Action] = ()) -> tuple[Action, ...]:
    return tuple(reference[step] if isinstance(step, int) else _action(dict(step)) for step in steps)


def _action(step: dict[str, Any]) -> Action:
    key = step.pop("at", "")
    role = _ROLE.match(key.rpartition("/")[2])
    target = {"key": key, "template": _ITEM.sub("[]", key), "role": role[0] if role else "", "label": ""}
    aimed = {"target": target} if key else {}
    return _ACTION.validate_python({"kind": step.pop("do"), **aimed, **step})

"""``show``: one task, capability or trajectory in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

from pipeline.errors import ConfigError
from pipeline.memory import Memory
from pipeline.order import find
from pipeline.workshop import Workshop
from schemas.action import Action, target_of
from schemas.capability import Capability
from schemas.proof import Proof, Proved
from schemas.record import Record
from schemas.task import Keypoint, Task
from schemas.trajectory import Trajectory


def show(folder: Path, name: str, *, as_json: bool) -> None:
    """Print the record of that id.

    Raises:
        ConfigError: when the run has made no such record.
    """
    workshop = Workshop(folder, find(folder))
    found = next(_records(workshop, name), None)
    if found is None:
        raise ConfigError(
            f"{folder} holds no task, capability or trajectory {name}; groundsmith query lists ids"
        )
    typer.echo(found.model_dump_json(indent=1) if as_json else "\n".join(_lines(found)))


def _records(workshop: Workshop, name: str) -> Iterator[Record]:
    """Records of that id, the most telling first: a Task is shown with its proof where it has one."""
    memory, flow = Memory(execute=False), workshop.flow
    if name.startswith("fn_"):
        yield from (node for tree in memory.items(flow.trees) for node in tree.nodes if node.id == name)
    elif name.startswith("tr_"):
        runs = (run for proved in memory.items(flow.proved) for run in proved.trajectories)
        yield from (run for run in runs if run.id == name)
    else:
        yield from (proved for proved in memory.items(flow.proved) if proved.task.id == name)
        yield from (task for task in memory.items(flow.tasks) if task.id == name)


def _lines(record: Record) -> Iterator[str]:
    match record:
        case Capability():
            yield from _capability(record)
        case Trajectory():
            yield from _trajectory(record)
        case Task():
            yield from _task(record)
        case Proved():
            yield from _task(record.task)
            yield from _proof(record.proof)
            yield f"trajectories: {', '.join(run.id for run in record.trajectories)}"


def _capability(node: Capability) -> Iterator[str]:
    yield f"{node.id}  {node.name}  ({node.app} {node.lang}, {node.level})"
    if node.description:
        yield node.description
    yield f"effect: {node.effect}  {node.signature}"
    for each in node.parameters:
        need = "required" if each.required else "optional"
        choices = f": {', '.join(choice.label for choice in each.choices)}" if each.choices else ""
        yield f"  {each.label or each.name} ({each.kind}, {need}){choices}"
    for way in node.variants[:1]:
        yield "path:"
        yield from _steps(way.path)


def _task(task: Task) -> Iterator[str]:
    plan, words = task.plan, task.instruction
    yield f"{task.id}  ({plan.app} {plan.lang}, {plan.tier}, {plan.effect})"
    yield words.text
    yield f"written by {words.model or words.writer}"
    yield "path:"
    yield from _steps(plan.path)
    yield "keypoints:"
    yield from (f"  {point.id}: {_keypoint(point)}" for point in plan.keypoints)


def _proof(proof: Proof) -> Iterator[str]:
    yield "proof:"
    for check in proof.checks:
        yield f"  {'passed' if check.passed else 'FAILED'} {check.gate}: {check.detail}"
        for made in check.executions:
            said = "verified" if made.verified else "refused"
            yield f"    {made.purpose}: {said}{'' if made.verified == made.expected else ', WRONGLY'}"


def _trajectory(run: Trajectory) -> Iterator[str]:
    yield f"{run.id}  of {run.task} ({run.app} {run.lang}, {run.policy}, {run.end})"
    for step, before in zip(run.steps, run.observations, strict=False):
        yield f"  at {before.address}: {_action(step.action)} -> {step.effect.main} ({step.status})"
        yield from (f"      {each.method} {each.path} {each.status}" for each in step.effect.writes)
    yield f"  ends at {run.last.address}"


def _steps(path: tuple[Action, ...]) -> Iterator[str]:
    yield from (f"  {number}. {_action(action)}" for number, action in enumerate(path, 1))


def _action(action: Action) -> str:
    target = target_of(action)
    fields = action.model_dump(exclude={"kind", "target", "locators"}, exclude_defaults=True)
    rest = " ".join(f"{name}={value!r}" for name, value in fields.items())
    label = f'"{target.label or target.key}"' if target else ""
    return " ".join(part for part in (action.kind, label, rest) if part)


def _keypoint(point: Keypoint) -> str:
    fields = point.model_dump(exclude={"id", "kind"}, exclude_defaults=True)
    return " ".join([point.kind, *(f"{name}={value!r}" for name, value in fields.items())])

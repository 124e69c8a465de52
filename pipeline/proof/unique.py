"""Gate ``unique``: no near-duplicate in the set. Tasks whose parameters differ are not duplicates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.text.duplicates import near_duplicates
from pipeline.verdicts.matchers import normal
from schemas.proof import Check, Gate
from schemas.task import Task


def checks(tasks: Sequence[Task]) -> tuple[Check, ...]:
    """One Check per task, in order. Of duplicates the one with the smallest ids stays, so the answer does
    not depend on the order in which tasks arrive.
    """
    ranked = sorted(range(len(tasks)), key=lambda at: (tasks[at].plan.id, tasks[at].id))
    originals: dict[int, int] = {}
    for first, second in sorted(_pairs([tasks[at] for at in ranked])):
        original, copy = ranked[first], ranked[second]
        if original not in originals:
            originals.setdefault(copy, original)
    return tuple(_check(tasks, originals.get(at)) for at in range(len(tasks)))


def _pairs(tasks: Sequence[Task]) -> Iterator[tuple[int, int]]:
    """Pairs of positions, earlier first, that say the same thing in nearly the same words."""
    texts = [task.instruction.text for task in tasks]
    for later, earlier, _ in near_duplicates(texts):
        alike = normal(texts[earlier]) == normal(texts[later])
        if alike or _meaning(tasks[earlier]) == _meaning(tasks[later]):
            yield earlier, later


def _meaning(task: Task) -> object:
    plan = task.plan
    values = tuple((value.name, normal(value.value)) for value in plan.values)
    return plan.capabilities, values, normal(plan.entity)


def _check(tasks: Sequence[Task], original: int | None) -> Check:
    if original is None:
        return Check(gate=Gate.UNIQUE, passed=True, detail="nothing in the set says the same")
    kept = tasks[original]
    return Check(
        gate=Gate.UNIQUE, passed=False, detail=f"says the same as {kept.id}: {kept.instruction.text!r}"
    )

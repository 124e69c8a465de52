"""Near misses that can be made from the task alone, for plans that lack them. Those that need another
entity or another value come with the plan.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.proof.execution import describe
from schemas.action import Action, Open, action_id
from schemas.effect import is_request
from schemas.task import Happened, NearMiss, TaskPlan


def near_misses(plan: TaskPlan) -> tuple[NearMiss, ...]:
    """The plan's own near misses, then those of other kinds that its path allows."""
    kinds = {miss.kind for miss in plan.near_misses}
    return (*plan.near_misses, *(miss for miss in _made(plan) if miss.kind not in kinds))


def onward(plan: TaskPlan) -> tuple[tuple[Action, ...], ...]:
    """What near misses do after the whole path, longest first: a replay that goes on so is one too."""
    whole = [action_id(action) for action in plan.path]
    longer = (
        miss.path[len(whole) :]
        for miss in near_misses(plan)
        if [action_id(action) for action in miss.path[: len(whole)]] == whole
    )
    return tuple(sorted(filter(None, longer), key=len, reverse=True))


def _made(plan: TaskPlan) -> Iterator[NearMiss]:
    if len(plan.path) > 1:
        detail = f"without the last step, {describe(plan.path[-1])}"
        yield NearMiss(kind="half_done", detail=detail, path=plan.path[:-1])
    if any(isinstance(point, Happened) and _writes(point) for point in plan.keypoints):
        yield NearMiss(
            kind="done_twice", detail="the whole path once more", path=(*plan.path, Open(), *plan.path)
        )


def _writes(point: Happened) -> bool:
    return is_request(point.signature) and not point.signature.startswith("GET ")

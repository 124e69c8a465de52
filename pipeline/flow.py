"""The whole flow on one screen: from apps to verdicts, every arrow a stage, every stage recorded.

App ─crawl→ graph ─mine→ capabilities ─compose→ plans ─instruct→ tasks ─sift→ candidates ─prove→ proved
─judge→ polls ─vote→ verdicts ─publish→ shards
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial

from pipeline.lanes import side_by_side
from pipeline.ledger import Recorded
from pipeline.memory import Memory, Watch, unwatched
from pipeline.pile import Meet, Source, Through
from schemas.app import Locus
from schemas.capability import CapabilityTree
from schemas.graph import FunctionGraph
from schemas.proof import Candidate, Proved, TaskSet
from schemas.task import Task, TaskPlan
from schemas.verdict import Poll, Verdict


@dataclass(frozen=True)
class Stages:
    """The arrows, in order. Each remembers what it made of every item."""

    crawl: Recorded[Locus, FunctionGraph]
    mine: Recorded[FunctionGraph, CapabilityTree]
    compose: Recorded[CapabilityTree, TaskPlan]
    instruct: Recorded[TaskPlan, Task]
    sift: Recorded[TaskSet, Candidate]
    prove: Recorded[Candidate, Proved]
    judge: Recorded[Proved, Poll]
    vote: Recorded[Poll, Verdict]


@dataclass(frozen=True)
class Flow:
    """The piles between the arrows."""

    graphs: Through[Locus, FunctionGraph]
    trees: Through[FunctionGraph, CapabilityTree]
    plans: Through[CapabilityTree, TaskPlan]
    tasks: Through[TaskPlan, Task]
    candidates: Through[TaskSet, Candidate]
    proved: Through[Candidate, Proved]
    polls: Through[Proved, Poll]
    verdicts: Through[Poll, Verdict]


def flow(loci: tuple[Locus, ...], do: Stages) -> Flow:
    """Put the arrows together. Nothing is run yet."""
    graphs = Source(loci).through(do.crawl)
    trees = graphs.through(do.mine)
    plans = trees.through(do.compose)
    tasks = plans.through(do.instruct, spread=True)
    sets = Meet("gather", trees, tasks, tree_key, task_key, task_order, gathered)
    candidates = sets.through(do.sift)
    proved = candidates.through(do.prove, spread=True)
    polls = proved.through(do.judge)
    verdicts = polls.through(do.vote)
    return Flow(graphs, trees, plans, tasks, candidates, proved, polls, verdicts)


def execute(  # noqa: PLR0913 - what, how far, where, who watches
    loci: tuple[Locus, ...], do: Stages, goal: str, *, runner: str, workers: int, watch: Watch = unwatched
) -> tuple[Flow, Memory]:
    """Make all that leads to a pile; what comes back reads it and every pile before it.

    Raises:
        GroundsmithError, HostError, OSError: the environment failed. What was finished is kept.
    """
    whole = flow(loci, do)
    memory = Memory(watch)
    if runner == "beam":
        from pipeline import beam  # noqa: PLC0415 - seconds that nobody else must pay

        beam.exhaust(getattr(whole, goal))
        memory = Memory(watch, execute=False)
    elif workers > 1 and len(loci) > 1:
        for stretch in _stretches(goal):
            if stretch == "candidates":  # the embedding model is one for all, and quick
                Memory(watch).exhaust(whole.candidates)
            else:
                lanes = [getattr(flow((locus,), do), stretch) for locus in loci]
                side_by_side([partial(Memory(watch).exhaust, lane) for lane in lanes], workers)
        memory = Memory(execute=False)
    memory.exhaust(getattr(whole, goal))
    return whole, memory


def _stretches(goal: str) -> Iterator[str]:
    """The way to a pile, cut where lanes have to wait for one another."""
    order = [each.name for each in fields(Flow)]
    yield from (cut for cut in ("tasks", "candidates") if order.index(cut) < order.index(goal))
    yield goal


def tree_key(tree: CapabilityTree) -> str:
    """A tree's group: its App and language."""
    return tree.id


def task_key(task: Task) -> str:
    """The same of a Task."""
    return f"{task.plan.app_id}.{task.plan.lang}"


def task_order(task: Task) -> tuple[str, str]:
    """The same order in every language."""
    return task.plan.group, task.id


def gathered(tree: CapabilityTree, tasks: tuple[Task, ...]) -> TaskSet:
    """All Tasks of one App and language, with what they could be mistaken for."""
    return TaskSet(tree=tree, tasks=tasks)

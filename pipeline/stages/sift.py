"""Sift: tasks that fail a gate which needs no execution fall out before an App is started for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.proof import grounded, language, unambiguous, unique
from pipeline.proof.unambiguous import Ranker
from schemas.proof import Candidate, Check, Fault, TaskSet
from schemas.rejection import Rejection
from schemas.task import Task


@dataclass(frozen=True)
class Sift:
    """``grounded``, ``language``, ``unique`` over the whole set, then ``unambiguous``; a task stops at the
    first gate that it fails.
    """

    embedder: Ranker
    name: str = "sift"

    def __call__(self, item: TaskSet) -> Iterator[Candidate | Rejection]:
        """Every task of the set, as a Candidate or as a Rejection, in order."""
        told = {task.id: _own_words(task) for task in item.tasks}
        worded = [task for task in item.tasks if told[task.id][-1].passed]
        for task, check in zip(worded, unique.checks(worded), strict=True):
            told[task.id].append(check)
            if check.passed:
                told[task.id].append(unambiguous.check(task, item.tree, self.embedder))
        for task in item.tasks:
            yield self._outcome(task, told[task.id])

    def _outcome(self, task: Task, checks: list[Check]) -> Candidate | Rejection:
        last = checks[-1]
        if last.passed:
            return Candidate(task=task, checks=tuple(checks))
        return Rejection(
            stage=self.name,
            item=task.id,
            reason=last.gate.value,
            detail=last.detail,
            fault=Fault.TASK,
            app=task.plan.app,
            lang=task.plan.lang,
            text=task.instruction.text,
        )


def _own_words(task: Task) -> list[Check]:
    checks = [grounded.check(task)]
    if checks[-1].passed:
        checks.append(language.check(task))
    return checks

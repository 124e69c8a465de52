"""The second look: published tasks are executed once more in freshly reset apps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from crawlers.host import Host, HostError
from crawlers.replay import replay
from pipeline.errors import ConfigError
from pipeline.proof.execution import answer_of, refusal
from pipeline.verdicts.verify import verify
from schemas.app import App
from schemas.record import Record
from schemas.task import Task, TaskPlan
from schemas.trajectory import Policy
from schemas.verdict import Decision, Rule


class Hosts(Protocol):
    """Where started Hosts come from."""

    def host(self, app: App, lang: str, /) -> Host:
        """The started Host for that App in that language."""
        ...


class Again(Record):
    """What became of one published task."""

    task: str
    verified: bool
    reason: str = ""
    """Why not; empty where it was verified."""


def again(
    tasks: Iterable[Task],
    *,
    pool: Hosts,
    apps: Iterable[App],
    rule: Rule = Rule(),  # noqa: B008 - a frozen record
) -> Iterator[Again]:
    """Execute the reference path of each task, in order. A broken environment is a reason, not an error.

    Raises:
        ConfigError: there is no recipe for a task's App.
    """
    known = tuple(apps)
    for task in tasks:
        app = app_of(task.plan, known)
        try:
            yield _once_more(task, pool.host(app, task.plan.lang), rule)
        except HostError as error:
            yield Again(task=task.id, verified=False, reason=str(error))


def app_of(plan: TaskPlan, apps: Iterable[App]) -> App:
    """The recipe that a plan was made for.

    Raises:
        ConfigError: it is not among ``apps``.
    """
    for app in apps:
        if app.id == plan.app_id:
            return app
    raise ConfigError(f"task plans of {plan.app} need its recipe in the version that was crawled; name it.")


def _once_more(task: Task, host: Host, rule: Rule) -> Again:
    plan = task.plan
    done = replay(host, plan.path, task=task.id, policy=Policy.REFERENCE, attempt=0, answer=answer_of(plan))
    verdict = verify(plan.keypoints, done, rule)
    verified = verdict.decision is Decision.PASS
    return Again(task=task.id, verified=verified, reason="" if verified else refusal(done, verdict))

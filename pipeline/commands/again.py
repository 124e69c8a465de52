"""``prove --again``: every published task is executed once more in a freshly reset app."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from pipeline.corpus.query import query
from pipeline.errors import DatasetError
from pipeline.memory import Memory
from pipeline.order import find
from pipeline.progress import counted
from pipeline.proof.again import Again
from pipeline.proof.again import again as execute_again
from pipeline.workshop import Workshop
from schemas.task import Task

BAR = 0.98
"""Share of published tasks that must still be provable; below it the exit code is 1."""


def again(folder: Path, *, as_json: bool) -> int:
    """Execute, report, answer the exit code."""
    order = find(folder)
    results: list[Again] = []
    with Workshop(folder, order).open() as workshop:
        tasks = published(workshop)
        with counted("prove again", len(tasks)) as advance:
            for result in execute_again(tasks, pool=workshop.pool, apps=order.apps, rule=order.config.judge):
                results.append(result)
                advance()
    failed = [result for result in results if not result.verified]
    rate = 1 - len(failed) / len(results) if results else 0.0
    if as_json:
        report = {"tasks": len(results), "verified": len(results) - len(failed), "rate": rate}
        typer.echo(json.dumps({**report, "failed": {result.task: result.reason for result in failed}}))
    else:
        proven = f"{len(results) - len(failed)} of {len(results)}"
        typer.echo(f"{proven} published tasks were proven again ({rate:.1%})")
        for result in failed:
            typer.echo(f"  {result.task}: {result.reason}")
    return 0 if rate >= BAR else 1


def published(workshop: Workshop) -> tuple[Task, ...]:
    """The Tasks of the shards, with all that it takes to execute them.

    Raises:
        DatasetError: when the run is not published or its working folders are gone.
    """
    ids = {row[0] for row in query(workshop.folder, "SELECT task_id FROM tasks").rows}
    proved = Memory(execute=False).items(workshop.flow.proved)
    tasks = tuple(each.task for each in proved if each.task.id in ids)
    if len(tasks) < len(ids):
        raise DatasetError(
            f"{workshop.folder} was published by other code or has lost its working folders; run it again"
        )
    return tasks

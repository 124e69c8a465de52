"""Commands that only look: at what a run would do, has done, and holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from pipeline import config as settings
from pipeline.commands.table import aligned
from pipeline.commands.work import STAGES
from pipeline.memory import Memory, Tick
from pipeline.order import Order, find, place
from pipeline.workshop import Workshop


def plan(folder: Path, file: Path | None, said: Mapping[str, Any], *, as_json: bool) -> None:
    """What a run with these settings would do in this folder."""
    order = place(settings.load(file, said))
    config, loci = order.config, order.loci
    writes = 0 if order.writer is None else config.compose.limit * len(loci)
    numbers: dict[str, Any] = {
        "run": order.run,
        "out": str(folder),
        "crawls": [f"{locus.app.name} {locus.lang}" for locus in loci],
        "actions": config.crawl.actions * len(loci),
        "crawl_seconds_at_most": config.crawl.seconds * len(loci),
        "tasks_planned_at_most": config.compose.limit * len(loci),
        "writer": order.writer.name if order.writer else "templates",
        "model_calls": [writes, writes * config.instruct.tries],
        "done": _counts(folder, order),
    }
    if as_json:
        typer.echo(json.dumps(numbers, ensure_ascii=False))
        return
    typer.echo(f"crawl    {', '.join(numbers['crawls'])}")
    typer.echo(f"         {numbers['actions']} actions, {numbers['crawl_seconds_at_most']:.0f} s at most")
    typer.echo(f"compose  {numbers['tasks_planned_at_most']} tasks at most")
    typer.echo(f"instruct {numbers['writer']}, {writes} to {numbers['model_calls'][1]} model calls at most")
    typer.echo("prove    about a dozen executions a task, each in a freshly reset app")
    typer.echo(f"publish  {folder}")
    typer.echo("done so far:")
    typer.echo(_stages(numbers["done"]))


def status(folder: Path, *, as_json: bool) -> None:
    """What every stage of a run has made, by the Order in its folder."""
    from pipeline.corpus.layout import MANIFEST  # noqa: PLC0415 - with the corpus come heavy libraries

    order = find(folder)
    counts = _counts(folder, order)
    published = (folder / MANIFEST).exists()
    if as_json:
        typer.echo(json.dumps({"run": order.run, "stages": counts, "published": published}))
        return
    typer.echo(_stages(counts))
    typer.echo(f"published: {'yes' if published else f'no; go on with: groundsmith publish {folder}'}")


def query(folder: Path, sql: str, *, as_json: bool) -> None:
    """The answer to a SELECT."""
    from pipeline.corpus import query as queries  # noqa: PLC0415 - DuckDB is for those who ask

    answer = queries.query(folder, sql)
    if as_json:
        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        typer.echo(json.dumps(rows, ensure_ascii=False, default=_plain))
        return
    typer.echo(aligned(answer.columns, answer.rows))
    if answer.truncated:
        typer.echo(f"… {len(answer.rows)} rows shown; read the Parquet files for all", err=True)


def check(folder: Path, *, as_json: bool) -> int:
    """Whether a published run is whole and sound. Answers the exit code."""
    from pipeline.corpus.quality import check as examine  # noqa: PLC0415 - seconds of Great Expectations

    report = examine(folder)
    if as_json:
        typer.echo(report.model_dump_json())
    else:
        for failure in report.failures:
            typer.echo(f"FAILED {failure}")
        typer.echo(f"{report.checks} checks, {len(report.failures)} failed")
        typer.echo(f"report: {report.docs or 'none, the files are damaged'}")
    return 0 if report.passed else 1


def gallery(folder: Path) -> None:
    """Draw the gallery again."""
    from pipeline.corpus.gallery import gallery as draw  # noqa: PLC0415 - heavy, as above

    typer.echo(f"open {draw(folder)}")


def _counts(folder: Path, order: Order) -> dict[str, dict[str, int]]:
    """Stage → items done, records kept, items rejected and items waiting, walking the ledger."""
    counts = {stage: Counter[str]() for stage in STAGES}

    def count(tick: Tick) -> None:
        of = counts[tick.stage]
        of["waiting" if tick.what == "missing" else "done"] += 1
        of["kept"] += tick.kept
        of["rejected"] += tick.rejected

    Memory(count, execute=False).exhaust(Workshop(folder, order).flow.verdicts)
    names = ("done", "kept", "rejected", "waiting")
    return {stage: {name: of[name] for name in names} for stage, of in counts.items()}


def _stages(counts: Mapping[str, Mapping[str, int]]) -> str:
    columns = ("stage", "done", "kept", "rejected", "waiting")
    return aligned(columns, [(stage, *of.values()) for stage, of in counts.items()])


def _plain(value: Any) -> str:
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else str(value)

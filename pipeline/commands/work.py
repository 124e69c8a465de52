"""Commands that work on a run folder: from wherever it stands to wherever they are asked to get."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import typer

from pipeline import config as settings
from pipeline.commands.reached import Reached
from pipeline.errors import ConfigError
from pipeline.order import Order, place, resume
from pipeline.progress import shown
from pipeline.workshop import Workshop
from schemas.graph import FunctionGraph
from schemas.record import Record
from schemas.run import Manifest

Goal = Literal["graphs", "candidates", "proved", "verdicts"]
STAGES = ("crawl", "mine", "compose", "instruct", "sift", "prove", "judge", "vote")


def given(  # noqa: PLR0913, PLR0917 - one per option
    app: Sequence[str] | None,
    lang: Sequence[str] | None,
    budget_actions: int | None,
    seed: int | None,
    runner: str | None,
    model: str | None,
    site: Sequence[str] | None,
    contact: str | None,
    *,
    lines: bool,
) -> dict[str, Any]:
    """What the command line says, nested like the Config; nothing where it says nothing. Who names a site
    and no app wants no app.
    """
    said: dict[str, Any] = {"lang": lang, "seed": seed, "runner": runner, "site": site, "contact": contact}
    crawl = {"actions": budget_actions, "lines": lines or None}
    said["crawl"] = {name: value for name, value in crawl.items() if value is not None}
    if model is not None:
        said["model"] = _model(model)
    said = {name: value for name, value in said.items() if value not in (None, [], {})}
    if app or site:
        said["app"] = app or []
    return said


def run(folder: Path, file: Path | None, said: Mapping[str, Any], *, as_json: bool) -> int:
    """Everything. Answers the exit code."""
    return _to_the_end(folder, place(settings.load(file, said)), as_json=as_json)


def publish(folder: Path, *, as_json: bool) -> int:
    """What is left of everything. Answers the exit code."""
    return _to_the_end(folder, resume(folder), as_json=as_json)


def crawl(folder: Path, file: Path | None, said: Mapping[str, Any], *, as_json: bool) -> None:
    """Begin a run, explore, and tell what was reached."""
    _until("graphs", folder, place(settings.load(file, said)), as_json=as_json)


def go_on(folder: Path, goal: Goal, *, as_json: bool) -> None:
    """Go on until a pile is whole."""
    _until(goal, folder, resume(folder), as_json=as_json)


def _until(goal: Goal, folder: Path, order: Order, *, as_json: bool) -> None:
    with Workshop(folder, order).open() as workshop, shown(STAGES) as watch:
        memory = workshop.make(goal, watch)
        made = [_reached(item) for item in memory.items(getattr(workshop.flow, goal))]
        fell_out = sum(1 for _ in memory.rejections(getattr(workshop.flow, goal)))
    reached = [each for each in made if each is not None]
    if as_json:
        numbers = {"reached": [each.model_dump(mode="json") for each in reached]} if reached else {}
        typer.echo(json.dumps({"out": str(folder), goal: len(made), "rejected": fell_out, **numbers}))
        return
    for each in reached:
        typer.echo(each.words)
    typer.echo(f"{len(made)} {goal}, {fell_out} rejected so far; next: groundsmith status {folder}")


def _reached(item: Record) -> Reached | None:
    """What is told of an item: of a graph, which is large, its numbers."""
    return Reached.of(item) if isinstance(item, FunctionGraph) else None


def _to_the_end(folder: Path, order: Order, *, as_json: bool) -> int:
    begun = time.monotonic()
    with Workshop(folder, order).open() as workshop:
        with shown(STAGES) as watch:
            memory = workshop.make("verdicts", watch)
        typer.echo("publishing", err=True)
        manifest = workshop.publish(memory)
    proven, planned = manifest.counts.get("tasks", 0), manifest.funnel["compose"]
    enough = planned > 0 and proven >= order.config.publish.min_yield * planned
    report = _report(folder, manifest, time.monotonic() - begun)
    typer.echo(json.dumps(report, ensure_ascii=False) if as_json else _words(folder, report, enough=enough))
    return 0 if enough else 3


def _report(folder: Path, manifest: Manifest, seconds: float) -> dict[str, Any]:
    from pipeline.corpus.query import query  # noqa: PLC0415 - DuckDB is for those who publish

    by_lang = query(folder, "SELECT lang, count(*) FROM tasks GROUP BY lang ORDER BY lang").rows
    return {
        "run": manifest.run,
        "out": str(folder),
        "proven": manifest.counts.get("tasks", 0),
        "proven_by_lang": dict(by_lang),
        "funnel": manifest.funnel,
        "rejected": manifest.rejected,
        "rows": manifest.counts,
        "seconds": round(seconds, 1),
        "gallery": str(folder / "gallery" / "index.html"),
    }


def _words(folder: Path, report: Mapping[str, Any], *, enough: bool) -> str:
    langs = ", ".join(f"{count} {lang}" for lang, count in report["proven_by_lang"].items()) or "none"
    planned = report["funnel"]["compose"]
    lines = [f"{report['proven']} proven tasks ({langs}) of {planned} planned, in {report['seconds']:.0f} s"]
    lines += [f"  {count:4} fell out: {reason}" for reason, count in report["rejected"].items()]
    if not enough:
        lines.append("Too few were proven (publish.min_yield): raise --budget-actions, or look at rejects.")
    lines += [
        "Next:",
        f"  groundsmith check {folder}",
        f'  groundsmith query {folder} "FROM tasks SELECT task_id, instruction LIMIT 10"',
        f"  open {report['gallery']}",
    ]
    return "\n".join(lines)


def _model(model: str) -> dict[str, str]:
    if model in {"none", "embedded"}:
        return {"kind": model}
    name, at, url = model.partition("@")
    if not at or not url.startswith(("http://", "https://")):
        raise ConfigError(f"--model {model!r} does not do: give none, embedded, or NAME@http://host:port/v1")
    return {"kind": "remote", "model": name, "base_url": url}

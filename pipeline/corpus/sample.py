"""Which tasks a gallery shows of a corpus that is too large to be shown whole."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from schemas.record import digest

if TYPE_CHECKING:
    import duckdb


def sample(connection: duckdb.DuckDBPyConnection, limit: int, seed: int) -> list[str]:
    """Task ids, at most ``limit``, dealt evenly over App, language and effect; the same for one seed."""
    strata: dict[tuple[str, str, str], list[str]] = {}
    rows = connection.execute("SELECT app, lang, effect, task_id FROM tasks").fetchall()
    for app, lang, effect, task in rows:
        strata.setdefault((app, lang, effect), []).append(task)
    shuffled = (sorted(strata[name], key=lambda task: digest("", seed, task)) for name in sorted(strata))
    return list(_dealt(shuffled))[:limit]


def _dealt(stacks: Iterable[Iterable[str]]) -> Iterable[str]:
    """One of each stack in turn."""
    return (item for item in chain.from_iterable(zip_longest(*stacks)) if item is not None)

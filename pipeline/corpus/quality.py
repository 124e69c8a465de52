"""The quality report: files against the manifest, invariants as SQL, column rules and the invariants'
counts through Great Expectations, whose HTML data docs come to lie in the run folder.
"""

from __future__ import annotations

import importlib
import shutil
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.corpus.files import damages
from pipeline.corpus.layout import DOCS, load_manifest
from pipeline.corpus.query import corpus
from pipeline.errors import DatasetError
from schemas.expectations import Expectation, expectations, invariants
from schemas.invariants import Invariant
from schemas.record import Record
from schemas.run import Manifest

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

_INVARIANTS = "invariants"


class QualityReport(Record):
    """What was found."""

    passed: bool
    checks: int
    """How many rules were checked."""
    failures: tuple[str, ...] = ()
    """One sentence each."""
    docs: str = ""
    """Path of the HTML report, when one was written."""


@dataclass(frozen=True)
class Violations:
    """How many rows break an invariant, and the first of them by name."""

    rule: Invariant
    count: int
    example: str

    def __str__(self) -> str:
        """One sentence."""
        return f"{self.rule.sentence}: not so for {self.count}, such as {self.example}"


def check(run_dir: str | Path, *, docs: bool = True) -> QualityReport:
    """Check a published run. Damaged files end the check early: nothing else could be trusted.

    Raises:
        DatasetError: when the folder is no published run or the HTML report cannot be written.
    """
    root = Path(run_dir)
    manifest = load_manifest(root)
    damaged = damages(root, manifest)
    if damaged:
        return QualityReport(passed=False, checks=len(manifest.files), failures=tuple(damaged))
    with corpus(root, manifest) as connection:
        found = [violations_of(connection, rule) for rule in invariants()]
        broken = [str(violations) for violations in found if violations.count]
        suites = _Suites()
        suites.invariants(found)
        broken += suites.columns(connection, manifest)
    pages = _write_docs(suites, root / DOCS) if docs else ""
    checks = len(manifest.files) + len(found) + len(expectations())
    return QualityReport(passed=not broken, checks=checks, failures=tuple(broken), docs=pages)


def violations_of(connection: duckdb.DuckDBPyConnection, rule: Invariant) -> Violations:
    """Look for rows that break an invariant."""
    sql = f"SELECT count(*), min(broken) FROM ({rule.violations}) AS v(broken)"  # noqa: S608 - rules of ours
    count, example = connection.execute(sql).fetchall()[0]
    return Violations(rule, int(count), str(example or ""))


class _Suites:
    """Great Expectations, kept in memory and quiet."""

    def __init__(self) -> None:
        self._gx = _library("great_expectations")
        kinds = _library("great_expectations.data_context.types.base")
        in_memory = kinds.InMemoryStoreBackendDefaults(init_temp_docs_sites=False)
        config = kinds.DataContextConfig(store_backend_defaults=in_memory, progress_bars={"globally": False})
        self.context = self._gx.get_context(mode="ephemeral", project_config=config)
        self._source = self.context.data_sources.add_pandas("corpus")

    def invariants(self, found: Sequence[Violations]) -> None:
        """Put the numbers of violations on record; their sentences are the caller's."""
        import pandas as pd  # noqa: PLC0415

        none = self._gx.expectations.ExpectColumnValuesToBeBetween
        rules = [none(column=it.rule.name, max_value=0, notes=it.rule.sentence) for it in found]
        self._run(_INVARIANTS, rules, pd.DataFrame([{it.rule.name: it.count for it in found}]))

    def columns(self, connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> Iterator[str]:
        """Check the column rules table by table; a sentence for each that does not hold."""
        by_table: dict[str, list[Expectation]] = {}
        for rule in expectations():
            by_table.setdefault(rule.table, []).append(rule)
        for table, rules in by_table.items():
            needed = ", ".join(
                f'"{name}"' for name in dict.fromkeys(name for rule in rules for name in rule.columns)
            )
            frame = connection.execute(f"SELECT {needed} FROM {table}").df()  # noqa: S608 - names of ours
            rows = manifest.counts.get(table, len(frame))
            expected = [self._expectation(rule) for rule in rules]
            expected.append(self._gx.expectations.ExpectTableRowCountToEqual(value=rows))
            *results, size = self._run(table, expected, frame)
            for rule, result in zip(rules, results, strict=True):
                if not result.success:
                    yield _sentence(rule, result.result)
            if not size.success:
                yield f"{table} has {len(frame)} rows instead of the {rows} that the manifest counts"

    def _run(self, name: str, rules: list[Any], frame: pd.DataFrame) -> list[Any]:
        """Results in the order of the rules."""
        suite = self.context.suites.add(self._gx.ExpectationSuite(name=name))
        for rule in rules:
            suite.add_expectation(rule)
        batch = self._source.add_dataframe_asset(name).add_batch_definition_whole_dataframe("whole")
        definition = self._gx.ValidationDefinition(name=name, data=batch, suite=suite)
        outcome = self.context.validation_definitions.add(definition).run(
            batch_parameters={"dataframe": frame}
        )
        by_id = {result.expectation_config.id: result for result in outcome.results}
        return [by_id[rule.id] for rule in suite.expectations]

    def _expectation(self, rule: Expectation) -> Any:
        make = self._gx.expectations
        if rule.rule == "unique" and len(rule.columns) > 1:
            return make.ExpectCompoundColumnsToBeUnique(column_list=list(rule.columns))
        column = rule.columns[0]
        if rule.rule == "unique":
            return make.ExpectColumnValuesToBeUnique(column=column)
        if rule.rule == "not_null":
            return make.ExpectColumnValuesToNotBeNull(column=column)
        if rule.rule == "in_set":
            return make.ExpectColumnValuesToBeInSet(column=column, value_set=list(rule.values))
        return make.ExpectColumnValuesToBeBetween(column=column, min_value=rule.low, max_value=rule.high)


def _library(module: str) -> Any:
    """A module of Great Expectations; imported late because it takes seconds, and without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(module)


def _sentence(rule: Expectation, result: dict[str, Any]) -> str:
    """A broken column rule in words."""
    must = {
        "unique": "be unique",
        "not_null": "not be null",
        "in_set": f"be one of {', '.join(rule.values)}",
        "between": f"be between {rule.low} and {rule.high}".replace("None", "any"),
    }[rule.rule]
    examples = "".join(f", such as {value}" for value in result.get("partial_unexpected_list", ())[:1])
    count = result.get("unexpected_count", "some")
    return f"{rule.table}.{'+'.join(rule.columns)} must {must}: not so for {count} rows{examples}"


def _write_docs(suites: _Suites, folder: Path) -> str:
    """Write the HTML data docs and return their first page."""
    shutil.rmtree(folder, ignore_errors=True)
    site = {
        "class_name": "SiteBuilder",
        "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
        "store_backend": {
            "class_name": "TupleFilesystemStoreBackend",
            "base_directory": str(folder.resolve()),
        },
    }
    try:
        suites.context.add_data_docs_site(site_name="quality", site_config=site)
        suites.context.build_data_docs()
    except OSError as error:
        raise DatasetError(f"{folder} cannot be written ({error.strerror})") from error
    return str(folder / "index.html")

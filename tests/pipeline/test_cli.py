"""The command line: what it answers, and one sentence for everything that is nobody's bug."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from crawlers.host import HostError
from pipeline import cli
from pipeline import order as orders
from pipeline.commands import look, work
from pipeline.commands.sentence import explained
from pipeline.commands.table import aligned
from pipeline.corpus.query import query
from pipeline.errors import ConfigError, Interrupted
from pipeline.ledger import Ledger
from pipeline.workshop import Workshop

Run = Callable[..., tuple[int, str, str]]
CODE = "as it is"


@pytest.fixture
def groundsmith(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call the command line; answers exit code, stdout and stderr. What was made is taken for up to date."""
    monkeypatch.setattr(orders, "code_hash", lambda *_: CODE)

    def call(*argv: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            cli.main([str(part) for part in argv])
        out, err = capsys.readouterr()
        return int(caught.value.code or 0), out, err

    return call


def one(published_run: Path, sql: str) -> str:
    return str(query(published_run, sql).rows[0][0])


def test_status_counts_every_stage(groundsmith: Run, published_run: Path) -> None:
    code, out, _ = groundsmith("status", published_run, "--json")
    said = json.loads(out)
    assert code == 0
    assert said["published"] is True
    assert said["stages"]["crawl"] == {"done": 2, "kept": 2, "rejected": 0, "waiting": 0}
    assert said["stages"]["prove"]["kept"] == int(one(published_run, "SELECT count(*) FROM tasks"))
    _, words, _ = groundsmith("status", published_run)
    assert words.splitlines()[0].split() == ["stage", "done", "kept", "rejected", "waiting"]
    assert words.splitlines()[-1] == "published: yes"


def test_a_task_a_capability_and_a_trajectory_are_shown_in_words(
    groundsmith: Run, published_run: Path
) -> None:
    for sql, words in (
        ("SELECT task_id FROM tasks", ["keypoints:", "path:", "passed replayed", "refused"]),
        ("SELECT function_id FROM functions WHERE level = 'atomic'", ["effect:", "path:"]),
        ("SELECT trajectory_id FROM trajectories", ["finish", "ends at"]),
    ):
        code, out, _ = groundsmith("show", one(published_run, sql), "--out", published_run)
        assert code == 0
        assert not [word for word in words if word not in out], out


def test_what_is_shown_as_json_is_the_record(groundsmith: Run, published_run: Path) -> None:
    name = one(published_run, "SELECT task_id FROM tasks")
    _, out, _ = groundsmith("show", name, "--out", published_run, "--json")
    assert json.loads(out)["task"]["id"] == name


def test_an_unknown_id_is_named(groundsmith: Run, published_run: Path) -> None:
    code, _, err = groundsmith("show", "tk_nowhere", "--out", published_run)
    assert (code, err.count("\n")) == (2, 1)
    assert "tk_nowhere" in err


def test_query_prints_aligned_rows_or_json(groundsmith: Run, published_run: Path) -> None:
    sql = "SELECT lang, count(*) AS n FROM tasks GROUP BY lang ORDER BY lang"
    code, out, _ = groundsmith("query", published_run, sql)
    assert (code, out.splitlines()[0].split()) == (0, ["lang", "n"])
    _, out, _ = groundsmith("query", published_run, sql, "--json")
    assert [row["lang"] for row in json.loads(out)] == ["en", "zh-Hans"]


@pytest.mark.parametrize("sql", ["SELEC 1", "DROP TABLE tasks", "SELECT * FROM read_csv('/etc/passwd')"])
def test_query_refuses_what_is_no_question_about_this_run(
    groundsmith: Run, published_run: Path, sql: str
) -> None:
    code, _, err = groundsmith("query", published_run, sql)
    assert (code, err.count("\n")) == (2, 1)


def test_cells_are_as_wide_as_they_are_shown() -> None:
    table = aligned(("name", "n"), [("清单", 1), ("list", 2)])
    assert table == "name  n\n清单  1\nlist  2"


@pytest.mark.parametrize(
    "argv, words",
    [
        (["run", "--app", "ihatemony"], "did you mean ihatemoney"),
        (["run", "--app", "{tmp}/none.toml"], "no recipe file"),
        (["run", "--lang", "tlh"], "cannot be crawled in 'tlh'; choose from en"),
        (["run", "--budget-actions", "-3"], "crawl.actions"),
        (["run", "--config", "{tmp}/none.toml"], "cannot be read"),
        (["run", "--model", "gpt"], "give none, embedded, or NAME@http"),
        (["run", "--runner", "dask"], "runner = 'dask'"),
        (["plan", "--app", "{tmp}/broken.toml"], "not valid TOML"),
        (["status", "{tmp}"], "is no run folder; begin one"),
        (["prove", "{tmp}"], "is no run folder"),
        (["query", "{tmp}", "SELECT 1"], "no published run"),
        (["check", "{tmp}"], "no published run"),
        (["gallery", "{tmp}"], "no published run"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    groundsmith: Run, tmp_path: Path, argv: list[str], words: str
) -> None:
    (tmp_path / "broken.toml").write_text("name = \n")
    out = [] if argv[0] in {"status", "prove", "query", "check", "gallery"} else ["--out", tmp_path / "run"]
    code, _, err = groundsmith(*(part.format(tmp=tmp_path) for part in argv), *out)
    assert code == 2, err
    assert words in err
    assert err.count("\n") == 1, err
    assert not (tmp_path / "run").exists()


def test_a_usage_error_is_exit_code_2(groundsmith: Run) -> None:
    code, _, err = groundsmith("run", "--nonsense")
    assert code == 2
    assert "--nonsense" in err


@pytest.mark.parametrize(
    "error, code, words",
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 2, "the disk is full; make room"),
        (PermissionError(errno.EACCES, "Permission denied", "/x/y"), 2, "/x/y cannot be used"),
        (HostError("the app died; look into its log"), 2, "the app died; look into its log"),
        (ConfigError("give another"), 2, "give another"),
        (Interrupted("stopped"), 75, "stopped"),
        (KeyError("a bug"), 1, ""),
    ],
)
def test_each_error_has_its_code_and_sentence(error: Exception, code: int, words: str) -> None:
    said = explained(error)
    assert said[0] == code
    assert words in said[1]
    assert bool(said[1]) == bool(words)


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch, published_run: Path) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(look, "status", broken)
    with pytest.raises(ZeroDivisionError):
        cli.main(["status", str(published_run)])


def test_plan_does_nothing(groundsmith: Run, tmp_path: Path) -> None:
    options = ("--out", tmp_path / "run", "--model", "none", "--budget-actions", 7)
    code, out, _ = groundsmith("plan", *options, "--json")
    said = json.loads(out)
    assert code == 0
    assert said["crawls"] == ["ihatemoney en", "ihatemoney zh-Hans"]
    assert (said["actions"], said["model_calls"]) == (14, [0, 0])
    assert said["done"]["crawl"] == {"done": 0, "kept": 0, "rejected": 0, "waiting": 2}
    assert not (tmp_path / "run").exists()
    _, words, _ = groundsmith("plan", *options)
    assert "ihatemoney zh-Hans" in words


def test_a_crawl_tells_what_it_reached(
    groundsmith: Run,
    published_run: Path,
    scripted_workshop: Callable[..., Workshop],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workshop = scripted_workshop(published_run)
    monkeypatch.setattr(work, "place", lambda _: workshop.order)
    monkeypatch.setattr(work, "Workshop", lambda *_: workshop)
    code, out, _ = groundsmith("crawl", "--out", published_run)
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines()[:-1]] == ["scripted en", "scripted zh-Hans"]
    _, out, _ = groundsmith("crawl", "--out", published_run, "--json")
    said = json.loads(out)
    assert (said["graphs"], said["rejected"]) == (2, 0)
    assert [each["coverage"]["lines"] for each in said["reached"]] == [None, None]


def test_what_a_finished_run_says(groundsmith: Run, published_run: Path) -> None:
    code, out, _ = groundsmith("publish", published_run, "--json")
    said = json.loads(out.splitlines()[-1])
    assert code == 0
    assert said["proven"] == sum(said["proven_by_lang"].values()) > 0
    assert Path(said["gallery"]).is_file()
    _, words, err = groundsmith("publish", published_run)
    assert f"groundsmith check {published_run}" in words
    assert "vote: " in err


def test_too_little_is_exit_code_3(groundsmith: Run, published_run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "poor"
    shutil.copytree(published_run, folder)
    order = json.loads((folder / "order.json").read_text())
    order["config"]["publish"]["min_yield"] = 1.0
    (folder / "order.json").write_text(json.dumps(order))
    code, out, _ = groundsmith("publish", folder)
    assert code == 3
    assert "publish.min_yield" in out


def test_a_full_disk_ends_with_its_sentence_and_keeps_what_is_finished(
    groundsmith: Run,
    tmp_path: Path,
    scripted_workshop: Callable[..., Workshop],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write = Ledger.write

    def full(self: Ledger, folder: str, *rest: object) -> None:
        if folder == "plans":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(self, folder, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Ledger, "write", full)
    workshop = scripted_workshop(tmp_path)
    order = workshop.order
    one = order.config.model_copy(update={"workers": 1})  # so that it is known how far the work was
    workshop.order = order.model_copy(update={"config": one})
    workshop.order.save(tmp_path)
    monkeypatch.setattr(work, "Workshop", lambda *_: workshop)
    code, _, err = groundsmith("synthesize", tmp_path)
    assert code == 2
    assert err.splitlines()[-1].startswith("groundsmith: the disk is full")
    assert [len(list((tmp_path / folder).iterdir())) for folder in ("graphs", "capabilities")] == [1, 1]


def test_a_folder_that_is_being_worked_on_is_left_alone(
    groundsmith: Run, tmp_path: Path, scripted_workshop: Callable[..., Workshop]
) -> None:
    with scripted_workshop(tmp_path).open():
        code, _, err = groundsmith("judge", tmp_path)
    assert code == 2
    assert f"process {os.getpid()} is working on {tmp_path}" in err

"""A real app in a real browser, from its recipe to published, proven tasks, a violent death in between."""

from __future__ import annotations

import ctypes
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parent.parent
GROUNDSMITH = (sys.executable, "-c", "from pipeline.cli import main; main()")
SMALL = """
app = ["ihatemoney"]
lang = ["en"]

[crawl]
actions = 45

[compose]
limit = 6

[model]
kind = "none"
"""
PR_SET_CHILD_SUBREAPER = 36
PATIENCE_S = 30
"""Until processes that were told to end have ended."""


def groundsmith(*argv: object) -> subprocess.CompletedProcess[str]:
    command = [*GROUNDSMITH, *(str(part) for part in argv)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def left_over(own: set[psutil.Process]) -> list[str]:
    """Command lines of processes that outlive the command that started them; ``own`` are this session's."""
    children = set(psutil.Process().children(recursive=True)) - own
    _, alive = psutil.wait_procs(list(children), PATIENCE_S)
    return [" ".join(process.cmdline()) for process in alive]


@pytest.fixture
def adopted() -> Iterator[set[psutil.Process]]:
    """Orphans of our children become our children, so that none can hide. Those that other tests left are
    given.
    """
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    yield set(psutil.Process().children(recursive=True))
    libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@pytest.fixture(scope="module")
def _app() -> None:
    """The app and the browser, or a skip that names what is missing."""
    looked = json.loads(groundsmith("doctor", "--app", "ihatemoney", "--json").stdout)
    missing = [f"{each['what']}: {each['said']}" for each in looked if each["needed"] and not each["ok"]]
    if missing:
        pytest.skip("; ".join(missing))


def stopped_while_crawling(config: Path, folder: Path, number: signal.Signals) -> int:
    """The exit code of a run that gets a signal once its browser is there."""
    command = [*GROUNDSMITH, "run", "--config", str(config), "--out", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not [each for each in psutil.Process(process.pid).children(recursive=True) if is_browser(each)]:
            assert process.poll() is None, "it ended before it could be stopped"
            time.sleep(0.05)
        process.send_signal(number)
        return process.wait(PATIENCE_S)


def is_browser(process: psutil.Process) -> bool:
    try:
        return "--headless" in " ".join(process.cmdline())
    except psutil.Error:
        return False


@pytest.mark.slow
@pytest.mark.timeout(540)
@pytest.mark.usefixtures("_app")
def test_from_a_recipe_to_proven_tasks(tmp_path: Path, adopted: set[psutil.Process]) -> None:
    config, folder = tmp_path / "small.toml", tmp_path / "run"
    config.write_text(SMALL)
    assert stopped_while_crawling(config, folder, signal.SIGTERM) == 75
    assert left_over(adopted) == []
    assert stopped_while_crawling(config, folder, signal.SIGKILL) == -signal.SIGKILL
    assert left_over(adopted) == []

    done = groundsmith("run", "--config", config, "--out", folder, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["proven"] >= 2, said
    assert said["rows"]["trajectories"] == 2 * said["proven"]
    assert Path(said["gallery"]).is_file()
    assert left_over(adopted) == []

    checked = groundsmith("check", folder)
    assert checked.returncode == 0, checked.stdout + checked.stderr

    again = groundsmith("prove", folder, "--again", "--json")
    assert again.returncode == 0, again.stdout + again.stderr
    assert json.loads(again.stdout)["rate"] == 1.0

    sql = (
        "SELECT count(*) FROM steps AS s LEFT JOIN images AS i ON s.image_before_id = i.image_id"
        " WHERE i.image_id IS NULL"
    )
    answer = json.loads(groundsmith("query", folder, sql, "--json").stdout)
    assert list(answer[0].values()) == [0], "every step has its screenshot"

"""Tests about the project itself: its layers, its wheel, its files, its command line and its README."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("schemas", "crawlers", "prompts", "pipeline")
MAX_LINES = 300
COMMANDS = (
    "run", "plan", "status", "crawl", "synthesize", "prove", "judge", "publish", "check", "query", "show",
    "gallery", "apps", "sites", "doctor",
)  # fmt: skip
HEAVY = (
    "apache_beam", "great_expectations", "polars", "pyarrow", "playwright", "duckdb", "pydantic_settings",
    "openai", "rich.progress",
)  # fmt: skip
FOREIGN = (
    r"/work/\w", r"/opt/wheels", r"/root/", r"pypi\.org", r"pythonhosted", r"registry\.npmjs",
    r"deb\.debian\.org", r"\bfarm-", r"\.library/",
)  # fmt: skip
"""Paths of somebody's machine, hosts of registries, names of tools that are no part of this."""


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def tracked() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [ROOT / line for line in listing.stdout.splitlines() if (ROOT / line).is_file()]


def python(*argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *argv], cwd=ROOT, capture_output=True, text=True, check=False)


def test_imports_run_down_the_layers() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", PACKAGES)
def test_our_packages_are_the_ones_that_are_imported(name: str) -> None:
    done = python("-c", f"import {name}; print({name}.__file__)")
    assert Path(done.stdout.strip()).parent == ROOT / name


def test_no_file_is_long() -> None:
    long = {
        path: lines for path in sources() if (lines := len(path.read_text("utf-8").splitlines())) > MAX_LINES
    }
    assert not long


def test_every_source_says_what_it_is() -> None:
    assert not [path for path in sources() if '"""' not in "".join(path.read_text("utf-8").splitlines()[:3])]


def test_nothing_of_somebodys_machine_is_in_the_project() -> None:
    pattern = re.compile("|".join(FOREIGN))
    texts = {".py", ".toml", ".md", ".txt", ".j2", ".js", ".json", ".sql", ".html", ".css", ".svg", ""}
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()[:90]}"
        for path in tracked()
        if path.suffix in texts and path != Path(__file__).resolve()
        for line in path.read_text("utf-8").splitlines()
        if pattern.search(line)
    ]
    assert not found


def test_constraints_pin_everything_exactly_and_name_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.]+", line) for line in lines)
    assert lines == sorted(lines, key=lambda line: line.split("==")[0])
    assert not [line for line in lines if line.startswith(("torch", "nvidia", "triton"))]


@pytest.mark.slow
def test_the_wheel_holds_four_packages_and_their_data(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed; make setup installs it")
    done = python("-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == set(PACKAGES)
    for suffix in (".j2", ".js", ".toml"):
        assert [name for name in names if name.endswith(suffix)], suffix
    assert "crawlers/apps/web/ihatemoney.toml" in names


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom pipeline.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"sys.exit(sorted(set({HEAVY!r}) & set(sys.modules)) or 0)"
    )
    done = python("-c", program)
    assert done.returncode == 0, done.stderr
    assert "Commands" in done.stdout
    for name in COMMANDS:
        assert re.search(rf"^\s+{name}\s", done.stdout, re.MULTILINE), name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from pipeline.cli import main  # noqa: PLC0415

    with pytest.raises(SystemExit) as caught:
        main([name, "--help"])
    assert caught.value.code == 0
    assert f"Example: groundsmith {name}" in " ".join(capsys.readouterr().out.split())


def test_the_readme_starts_with_commands_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    readme = (ROOT / "README.md").read_text("utf-8")
    made = re.findall(r"^\s*(?:\$ )?make ([a-z-]+)", readme, re.MULTILINE)
    assert made
    assert set(made) <= targets
    used = re.findall(r"^\s*(?:\.venv/bin/)?groundsmith ([a-z]+)", readme, re.MULTILINE)
    assert set(used) <= set(COMMANDS)


def test_ci_makes_the_tests_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert lines[1] == "set -euo pipefail"
    assert lines[-1] == "make test"

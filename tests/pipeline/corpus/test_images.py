from __future__ import annotations

import hashlib
import io
import pickle
from pathlib import Path

import pytest
from PIL import Image

from pipeline.corpus.images import ImageStore, size_of
from pipeline.errors import DatasetError


def png(colour: str = "#123456", size: tuple[int, int] = (7, 5)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def test_id_is_the_hash_of_what_is_stored(tmp_path: Path) -> None:
    store = ImageStore(str(tmp_path))
    name = store(png())
    assert name == hashlib.sha256(png()).hexdigest()
    assert store.path(name) == tmp_path / name[:2] / f"{name}.png"
    assert store.read(name) == store.path(name).read_bytes() == png()


def test_storing_twice_changes_nothing(tmp_path: Path) -> None:
    store = pickle.loads(pickle.dumps(ImageStore(str(tmp_path))))  # noqa: S301 - workers get it this way
    first = store(png())
    before = store.path(first).stat().st_mtime_ns
    assert store(png()) == first
    assert store.path(first).stat().st_mtime_ns == before
    assert [path.suffix for path in tmp_path.rglob("*") if path.is_file()] == [".png"]


def test_size_comes_from_the_header() -> None:
    assert size_of(png(size=(1280, 720))) == (1280, 720)


@pytest.mark.parametrize("junk", [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a" + bytes(40), png()[:20]])
def test_what_is_no_png_is_refused(tmp_path: Path, junk: bytes) -> None:
    with pytest.raises(DatasetError, match="not a PNG"):
        ImageStore(str(tmp_path))(junk)
    assert not list(tmp_path.iterdir())


def test_missing_image_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        ImageStore(str(tmp_path)).read("00" * 32)


def test_unwritable_root_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DatasetError, match="cannot be written"):
        ImageStore(str(tmp_path / "file"))(png())

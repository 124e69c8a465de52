"""The image store: screenshots as files named by the hash of their bytes, so storing one twice is a no-op."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from threading import get_ident

from pipeline.errors import DatasetError
from schemas.record import image_id

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class ImageStore:
    """An ``ImageSink`` that keeps PNGs below ``root`` as ``<first two digits>/<id>.png``. Any number of
    threads and processes may share a root. Nothing is stripped or re-encoded: the id stays checkable.
    """

    root: str

    def __call__(self, png: bytes) -> str:
        """Keep the image and return its id; a second copy of the same bytes changes nothing.

        Raises:
            DatasetError: when the bytes are no PNG or cannot be written.
        """
        size_of(png)
        name = image_id(png)
        place = self.path(name)
        if not place.exists():
            self._write(place, png)
        return name

    def path(self, name: str) -> Path:
        """Where the image of that id lies (or would)."""
        return Path(self.root, name[:2], f"{name}.png")

    def read(self, name: str) -> bytes:
        """The stored bytes.

        Raises:
            DatasetError: when there is no such image.
        """
        try:
            return self.path(name).read_bytes()
        except OSError as error:
            raise DatasetError(
                f"image {name} cannot be read from {self.root} ({error.strerror}); crawl and prove again"
            ) from error

    def _write(self, place: Path, png: bytes) -> None:
        part = place.with_name(f"{place.stem}.{os.getpid()}-{get_ident()}.part")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                part.write_bytes(png)
                part.replace(place)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise DatasetError(f"image cannot be written below {self.root}: {error.strerror}") from error


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height in pixels, from the header alone.

    Raises:
        DatasetError: when the bytes do not start like a PNG.
    """
    if len(png) < 24 or not png.startswith(_SIGNATURE) or png[12:16] != b"IHDR":
        raise DatasetError("a screenshot is not a PNG; the driver must return PNG bytes")
    width, height = struct.unpack(">II", png[16:24])
    return width, height

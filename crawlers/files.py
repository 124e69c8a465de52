"""Files: what is given to a file field, as text. A field that asks for pictures gets one."""

from __future__ import annotations

import re

from crawlers.limits import limits_of
from schemas.screen import Element

TABLE = "name,amount\nQuill,17\n"
IMAGE = "GIF89a\1\0\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2L\1\0;"
"""A GIF of one pixel: with a colour table of nobody's (GIF89a, sections 18 and 20) it is pure ASCII."""
_IMAGES = re.compile(r"image/(?!svg)|\.gif\b", re.IGNORECASE)


def asks_for_image(field: Element) -> bool:
    """Whether a file field takes pictures."""
    return bool(_IMAGES.search(limits_of(field).get("accept", "")))


def file_name(field: Element, content: str) -> str:
    """What a file is called: as the field, with an ending that it takes."""
    endings = (each.strip() for each in limits_of(field).get("accept", "").split(","))
    ending = next((each for each in endings if each.startswith(".")), ".txt")
    return f"{field.field or 'upload'}{'.gif' if content == IMAGE else ending}"

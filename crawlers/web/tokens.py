"""Random text: ids and tokens that a program made up, which never name anything twice."""

from __future__ import annotations

import re
from itertools import pairwise

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_RUN = re.compile(r"[A-Za-z0-9_.~%=+-]+")
LONG = 20
"""Characters from which a mixed text is taken for a token; shorter ones must be mixed more."""


def is_random(text: str) -> bool:
    """Whether a text looks made up by a program: digits and letters (or cases) take turns in it.

    ``my-first-post-2027`` does not, ``x7Gk29Lm`` and ``TRuXFQv94-obV_aBu6oIoIsXGI8`` do.
    """
    if _UUID.fullmatch(text):
        return True
    if len(text) < 8 or not _RUN.fullmatch(text):
        return False
    kinds = [_kind(letter) for letter in text if letter.isalnum()]
    if "digit" not in kinds or len(set(kinds)) < 2:
        return False
    turns = sum(one != other for one, other in pairwise(kinds))
    return turns / len(kinds) >= (0.3 if len(text) >= LONG else 0.5)


def _kind(letter: str) -> str:
    if letter.isdigit():
        return "digit"
    return "upper" if letter.isupper() else "lower"

"""Near-duplicates among short texts of one language: MinHash finds candidates, exact Jaccard decides.

Two texts that differ in a value ("alarm at 7:00", "alarm at 7:30") may be near-duplicates as texts and
different tasks all the same; that is for the caller to say, who knows the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.text.language import script_of

THRESHOLD = 0.8
"""Jaccard similarity from which two texts say the same in nearly the same words."""
PERMUTATIONS = 128
BANDS = 32
"""With 4 rows a band, a pair of similarity 0.8 is missed less than once in ten million times."""
SEED = 1

_UNSPACED = frozenset({"CJK", "KANA", "THAI", "KHMER", "LAO"})
_NOISE = re.compile(r"[\W_]+")


class Duplicate(NamedTuple):
    """``later`` nearly repeats ``earlier`` (indices into the texts)."""

    later: int
    earlier: int
    similarity: float


def shingles(text: str) -> frozenset[str]:
    """Overlapping pieces of a text, by script: two characters where words are not spaced, four elsewhere.
    Case, punctuation and the number of spaces do not count.
    """
    plain = _NOISE.sub(" ", text.lower()).strip()
    size = 4
    if any(script_of(character) in _UNSPACED for character in plain):
        size, plain = 2, plain.replace(" ", "")
    return frozenset(plain[at : at + size] for at in range(max(1, len(plain) - size + 1)))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared pieces over all pieces: 0 (nothing in common) to 1 (the same set)."""
    return len(one & other) / len(one | other) if one or other else 1.0


def near_duplicates(texts: Sequence[str], *, threshold: float = THRESHOLD) -> tuple[Duplicate, ...]:
    """All pairs of texts at least that similar, by the later one, then the earlier one."""
    return tuple(_search([shingles(text) for text in texts], threshold))


def _search(pieces: Sequence[frozenset[str]], threshold: float) -> Iterator[Duplicate]:
    from rensa import RMinHash, RMinHashLSH  # noqa: PLC0415 - only where duplicates are sought

    index = RMinHashLSH(threshold, PERMUTATIONS, BANDS)
    for later, own in enumerate(pieces):
        sketch = RMinHash(PERMUTATIONS, SEED)
        sketch.update(sorted(own))
        for earlier in sorted(index.query(sketch)):
            similarity = jaccard(own, pieces[earlier])
            if similarity >= threshold:
                yield Duplicate(later, earlier, similarity)
        index.insert(later, sketch)

"""Gate ``unambiguous``: from the instruction alone, its values masked, one finds the way back to its
capability among everything the App can do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from pipeline.proof.lexicon import verbs
from pipeline.proof.wording import CUT, VALUES, cut, unquoted
from pipeline.text.duplicates import shingles
from schemas.capability import Capability, CapabilityTree
from schemas.effect import EffectClass
from schemas.proof import Check, Gate
from schemas.task import Task

WORDING, VERB = 0.10, 0.06
"""What shared wording and the right kind of verb count beside the cosine. A real App's cosines lie within
about 0.1 of each other; both weights were chosen on ihatemoney's capabilities.
"""


class Ranker(Protocol):
    """What is needed of an embedding model."""

    def rank(self, query: str, passages: Sequence[str], /) -> Sequence[tuple[int, float]]:
        """Indices of the passages with their similarity to the query, best first."""
        ...


def check(task: Task, tree: CapabilityTree, ranker: Ranker) -> Check:
    """Static: reads the task and its App's capabilities."""
    wanted = {node.id for node in tree.atomic if node.id in task.plan.capabilities}
    text = cut(task.instruction, VALUES).replace(CUT, " ")
    places = rank(text, task.plan.lang, tree.atomic, ranker)
    same = {node.signature for node in tree.atomic if node.id in wanted}
    first = places[: len(wanted)]
    strangers = [node for node in first if node.id not in wanted and node.signature not in same]
    if not wanted:
        detail = "its capability is not in the tree"
    elif strangers:
        own = next(at for at, node in enumerate(places) if node.signature in same)
        detail = f"ranks {own + 1}; {strangers[0].name!r} ({strangers[0].signature}) ranks before it"
    else:
        detail = f"ranks first of {len(places)} capabilities"
    return Check(gate=Gate.UNAMBIGUOUS, passed=bool(wanted) and not strangers, detail=detail)


def rank(text: str, lang: str, nodes: Sequence[Capability], ranker: Ranker) -> tuple[Capability, ...]:
    """The capabilities by how well they fit the text, best first. The score is the cosine to their
    description, plus the share of the text's telling pieces that it has, plus the agreement of verbs; one
    that is only quoted ("Go to “Edit item”") is heard where there is no other.
    """
    passages = [describe(node) for node in nodes]
    scores = dict(ranker.rank(text, passages))
    pieces = [shingles(passage) for passage in passages]
    weights = _weights(pieces)
    asked = shingles(text)
    used = unquoted(text)
    said = used if any(verbs(used, lang, node.effect) for node in nodes) else text
    for at, node in enumerate(nodes):
        scores[at] += WORDING * _share(asked, pieces[at], weights)
        scores[at] += VERB * _agreement(said, lang, node.effect)
    return tuple(nodes[at] for at in sorted(scores, key=lambda at: (-scores[at], at)))


def describe(node: Capability) -> str:
    """A capability in words: its name, its line, the App's labels on the way to it."""
    lines = (node.name, node.description, " ".join(dict.fromkeys(node.labels)))
    return ". ".join(line for line in lines if line)


def _weights(passages: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Inverse document frequency: what every capability shares tells nothing."""
    held = Counter(piece for passage in passages for piece in passage)
    return {piece: math.log((1 + len(passages)) / count) for piece, count in held.items()}


def _share(asked: frozenset[str], own: frozenset[str], weights: Mapping[str, float]) -> float:
    known = sum(weights.get(piece, 0.0) for piece in sorted(asked))
    return sum(weights[piece] for piece in sorted(asked & own)) / known if known else 0.0


def _agreement(text: str, lang: str, effect: EffectClass) -> float:
    """1 where a word of the text can mean nothing but the effect, a half where one may mean it."""
    if verbs(text, lang, effect, plain=True):
        return 1.0
    return 0.5 if verbs(text, lang, effect) else 0.0

"""What a functionality graph holds, in numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pipeline.stages.mine import Mine
from schemas.capability import CapabilityTree, Level
from schemas.graph import FunctionGraph


def counts(graph: FunctionGraph) -> dict[str, Any]:
    """States, transitions, atomic capabilities, forms, effects by class, and what finding them cost."""
    trees = [each for each in Mine()(graph) if isinstance(each, CapabilityTree)]
    atomic = [each for tree in trees for each in tree.nodes if each.level is Level.ATOMIC]
    effects = Counter(str(transition.effect.main) for transition in graph.transitions)
    coverage = graph.coverage
    return {
        "states": coverage.states,
        "structures": coverage.structures,
        "transitions": coverage.transitions,
        "capabilities": len(atomic),
        "forms": coverage.forms,
        "forms_tried": coverage.forms_tried,
        "clickables": coverage.clickables,
        "clickables_tried": coverage.clickables_tried,
        "effects": dict(sorted(effects.items())),
        "page_loads": coverage.page_loads,
        "resets": coverage.resets,
    }

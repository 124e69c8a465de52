"""What several row mappers share: JSON text, the action struct, the columns of an Effect."""

from __future__ import annotations

from typing import Any

from schemas.action import Action
from schemas.effect import Effect
from schemas.record import canonical
from schemas.world_rows import ActionCell


def effect_columns(effect: Effect) -> dict[str, Any]:
    """The columns that edges and steps share, by name."""
    evidence = effect.evidence
    writes = [
        *(request.signature for request in evidence.requests if request.write),
        *(write.signature for write in evidence.storage),
        *(f"download {download.route}" for download in evidence.downloads),
    ]
    return {
        "target_box": evidence.gesture.box if evidence.gesture else None,
        "effect": effect.main,
        "effects": effect.classes,
        "outcome": effect.outcome,
        "side_effects": tuple(writes),
        "appeared": effect.delta.appeared,
        "vanished": effect.delta.vanished,
        "evidence_json": json_of(evidence.model_dump(mode="json", exclude_defaults=True)),
    }


def cell_of(action: Action, effect: Effect) -> ActionCell:
    """The action as one struct, with the pixel that it touched."""
    gesture = effect.evidence.gesture
    return ActionCell.of(action, (gesture.x, gesture.y) if gesture else None)


def json_of(value: object) -> str:
    """The one JSON spelling of a record or plain value."""
    return canonical(value).decode("utf-8", "surrogatepass")

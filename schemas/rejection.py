"""A Rejection is an item that fell out of the flow. It is data: it is written down, never raised."""

from __future__ import annotations

from schemas.proof import Fault
from schemas.record import Record, digest


class Rejection(Record):
    """What fell out, where, and why."""

    stage: str
    item: str
    """Id of the item."""
    reason: str
    """A short word of a closed set per stage; for prove it is the gate's name."""
    detail: str = ""
    """One sentence for a person."""
    fault: Fault | None = None
    app: str = ""
    lang: str = ""
    text: str = ""
    """The item in words (an instruction, a label), to recognise it without a join."""

    @property
    def id(self) -> str:
        """One row per item, stage and reason."""
        return digest("rj", self.stage, self.item, self.reason)

"""What a crawl saw and did not try, and why, in words for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from schemas.graph import Untried

LABELS = 12
"""Labels that are named for one reason; the others are counted."""
_WHY = {
    "budget": "the budget was used up before",
    "same_template": "others of its kind were tried",
    "leads_here": "it leads to the screen that it stands on",
    "off_app": "it leads out of the app",
    "covered": "something lies over it",
    "unreachable": "its screen was not reached again",
    "target_missing": "it was gone when its screen was reached again",
    "blocked": "it could not be acted on",
    "timeout": "the app did not answer in time",
    "crashed": "the app ended",
    "error": "the screen is an error page",
    "blank": "the screen is blank",
    "wall": "the screen is a human-verification wall, which is left alone",
    "tree_missing": "the screen cannot be read: it is drawn, and says nothing of what it shows",
    "risk_reversible": "the recipe allows no writes",
    "risk_irreversible": "it cannot be taken back, and the app cannot be reset",
    "risk_account": "it would change the account",
    "risk_financial": "it looks like a payment, and the app cannot be reset",
    "risk_external": "it would reach other people",
}
"""By the reason as it is stored."""


@dataclass(frozen=True)
class LeftOut:
    """What was left out for one reason."""

    why: str
    count: int
    labels: tuple[str, ...]
    """What the first of them are called, each once, as displayed."""

    @property
    def more(self) -> int:
        """How many are not named."""
        return self.count - len(self.labels)


def left_out(untried: Iterable[Untried]) -> tuple[LeftOut, ...]:
    """Everything that was not tried, by reason, the most frequent first."""
    by_reason: dict[str, list[str]] = {}
    for each in untried:
        by_reason.setdefault(each.reason, []).append(each.label)
    found = (_of(reason, labels) for reason, labels in by_reason.items())
    return tuple(sorted(found, key=lambda left: (-left.count, left.why)))


def _of(reason: str, labels: list[str]) -> LeftOut:
    return LeftOut(
        why=_WHY.get(reason, reason.replace("_", " ")), count=len(labels), labels=tuple(_first(labels))
    )


def _first(labels: Iterable[str]) -> Iterator[str]:
    named = dict.fromkeys(label.strip() for label in labels if label.strip())
    yield from list(named)[:LABELS]

"""Spent: what a crawl has cost so far, and what it called for that."""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.effect import Evidence


@dataclass
class Spent:
    """Counts, as fields of Coverage."""

    actions: int = 0
    resets: int = 0
    page_loads: int = 0
    sessions_lost: int = 0
    routes: set[str] = field(default_factory=set)

    def take_in(self, evidence: Evidence) -> None:
        """Count what one Action called."""
        for request in evidence.requests:
            self.routes.add(request.signature)
            self.page_loads += request.document and not 300 <= request.status < 400
        self.routes.update(f"GET {download.route}" for download in evidence.downloads)

"""What an exploration reached, as ``crawl`` tells it at its end."""

from __future__ import annotations

from schemas.graph import Coverage, FunctionGraph
from schemas.record import Record


class Reached(Record):
    """One App in one language."""

    app: str
    lang: str
    coverage: Coverage

    @classmethod
    def of(cls, graph: FunctionGraph) -> Reached:
        """The graph in numbers."""
        return cls(app=graph.app, lang=graph.lang, coverage=graph.coverage)

    @property
    def words(self) -> str:
        """One line."""
        numbers = self.coverage
        parts = [
            f"{numbers.states} states",
            f"{numbers.transitions} transitions",
            f"{numbers.clickables_tried} of {numbers.clickables} clickables",
            f"{numbers.forms_tried} of {numbers.forms} forms",
            f"{len(numbers.routes)} routes",
        ]
        if numbers.routes_known is not None:
            parts[-1] += f" ({numbers.routes_reached} of the {numbers.routes_known} that it lists)"
        if numbers.lines is not None:
            parts.append(f"{numbers.lines} lines of its own code (of {numbers.statements} in their files)")
        return f"{self.app} {self.lang}: {', '.join(parts)}"

"""A Kind is what a session is of; sessions of one kind differ only in what was done in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from schemas.app import App
from schemas.record import digest


@dataclass(frozen=True)
class Kind:
    """App, language, place and density."""

    app: App
    lang: str
    origin: str
    """Where the App is served."""
    scale: float
    """Image pixels per CSS pixel."""
    proxy: str = ""
    """The only way out for the browser; empty: it reaches the origin and nothing else."""

    @property
    def id(self) -> str:
        """Content id."""
        return digest("", self.app, self.lang, self.origin, self.scale, self.proxy)

    @property
    def languages(self) -> tuple[str, ...]:
        """Language tags that the browser asks for, most wanted first: the App's own code, the tag, its
        stem.
        """
        code = self.app.locale.codes.get(self.lang, self.lang).replace("_", "-")
        return tuple(dict.fromkeys((code, self.lang, self.lang.partition("-")[0])))

    @property
    def origins(self) -> tuple[str, ...]:
        """Everything that may be reached; the origin that serves the App's pages comes first."""
        return (self.origin, *self.app.origins)

    @property
    def entry(self) -> str:
        """The address that every session starts at."""
        locale = self.app.locale
        if locale.via != "query":
            return self.app.entry
        joint = "&" if "?" in self.app.entry else "?"
        code = locale.codes.get(self.lang, self.lang)
        return f"{self.app.entry}{joint}{locale.at.lstrip('?&').format(locale=code)}"

    @property
    def epoch(self) -> int | None:
        """Where the page's clock starts, in milliseconds since 1970; None for the real clock."""
        clock = self.app.clock
        return round(datetime.fromisoformat(clock).replace(tzinfo=UTC).timestamp() * 1000) if clock else None

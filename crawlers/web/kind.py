"""A Kind is what a session is of; sessions of one kind differ only in what was done in them."""

from __future__ import annotations

from dataclasses import dataclass

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

"""The Driver contract: the one thing a platform provides. Explorer, prover and agents use the same
Driver, so crawl and replay cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from schemas.action import Action
from schemas.effect import Evidence
from schemas.screen import State

ImageSink = Callable[[bytes], str]
"""Takes PNG bytes, keeps them, returns the image's id."""


class DriverError(Exception):
    """An Action could not be performed or a screen not be read.

    ``kind`` says whose fault it is likely to be: ``target_missing`` (the element is not on this screen),
    ``blocked`` (it is there and cannot be used: covered, disabled, outside the allow-list), ``timeout``,
    ``crashed`` (the session is dead and must be replaced).
    """

    def __init__(
        self, kind: Literal["target_missing", "blocked", "timeout", "crashed"], message: str
    ) -> None:
        """Keep the kind beside the sentence."""
        super().__init__(message)
        self.kind = kind


class Driver(Protocol):
    """One live session of one App in one language. GUIs run in real time, so every call returns only
    when the screen is stable (or a cap was reached, which the State's quality then says).
    """

    def observe(self) -> State:
        """The present screen, without an image."""
        ...

    def perform(self, action: Action) -> Evidence:
        """Do one Action and wait until the screen is stable.

        A ``Submit`` is performed field by field and then sent; its Evidence is of the whole.

        Raises:
            DriverError: when it could not be done; nothing further was done then.
        """
        ...

    def screenshot(self) -> bytes:
        """The viewport as PNG, of the size that ``State.width`` and ``State.height`` give."""
        ...

    def close(self) -> None:
        """End the session. Safe to call twice and after a crash."""
        ...

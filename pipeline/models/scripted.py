"""A Chat that answers from a script: the double that ships with the package, for tests and dry runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pipeline.errors import ModelError
from pipeline.models.completion import Completion
from prompts import Prompt


@dataclass(frozen=True)
class ScriptedChat:
    """``script`` pairs words with replies: the first pair whose words occur in the prompt answers, with
    the reply that the seed picks (``seed % len(replies)``). A prompt that no pair knows is an error.
    """

    script: tuple[tuple[str, tuple[str, ...]], ...]
    model: str = "scripted"

    @property
    def identity(self) -> str:
        """The script is the model."""
        return f"{self.model}:{self.script!r}"

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a script from a JSON file: an object of words → list of replies."""
        try:
            script = json.loads(path.read_text("utf-8"))
            return cls(tuple((words, tuple(replies)) for words, replies in script.items()))
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise ModelError(
                f"{path} is not a script: give a JSON object of words → list of replies ({error})."
            ) from error

    def complete(
        self,
        prompt: Prompt,
        *,
        seed: int,
        temperature: float,  # noqa: ARG002 - the contract's
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002 - the contract's
    ) -> Completion:
        """The scripted reply; one longer than ``max_tokens`` words is cut off, as a model's would be."""
        for words, replies in self.script:
            if words in prompt.user and replies:
                reply = replies[seed % len(replies)]
                cut = len(reply.split()) > max_tokens
                return Completion(text=reply, finish_reason="length" if cut else "stop", model=self.model)
        return Completion(error="the script has no reply to this prompt", model=self.model)

    def check(self) -> None:
        """A script is always there."""

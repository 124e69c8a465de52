"""A Ledger remembers what a model answered, so that a resumed run neither pays twice nor reads a second,
different answer to the same question.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.models.client import Chat
from pipeline.models.completion import Completion
from prompts import Prompt
from schemas.record import digest


@dataclass(frozen=True)
class Ledger:
    """A Chat in front of another one. Each answer is a file of ``folder``, named by the hash of the model's
    identity, the words of the prompt and the parameters; failures are not kept.
    """

    chat: Chat
    folder: Path

    @property
    def model(self) -> str:
        """The model behind it."""
        return self.chat.model

    @property
    def identity(self) -> str:
        """The model behind it."""
        return self.chat.identity

    def complete(
        self,
        prompt: Prompt,
        *,
        seed: int,
        temperature: float,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """The answer that was given before, else a new one, kept before it is returned."""
        words = (prompt.system, prompt.examples, prompt.user)
        key = digest("co", self.identity, *words, seed, temperature, max_tokens, schema)
        path = self.folder / key[3:5] / f"{key}.json"
        kept = _read(path)
        if kept:
            return kept
        answer = self.chat.complete(
            prompt, seed=seed, temperature=temperature, max_tokens=max_tokens, schema=schema
        )
        if not answer.error:
            _write(path, answer)
        return answer

    def check(self) -> None:
        """As the model behind it."""
        self.chat.check()


def _read(path: Path) -> Completion | None:
    try:
        return Completion.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _write(path: Path, answer: Completion) -> None:
    """Whole or not at all: a killed writer leaves a temporary file, never half an answer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(answer.model_dump_json())
    Path(name).replace(path)

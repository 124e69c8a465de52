"""A LazyChat brings its model up when it is first asked, so that a run whose instructions are all written
does not load one.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pipeline.errors import ModelError
from pipeline.models.client import Chat
from pipeline.models.completion import Completion
from pipeline.models.servers import ModelConfig, open_chat
from prompts import Prompt


class LazyChat:
    """A Chat. What it brought up, ``putting_away`` takes down."""

    def __init__(self, config: ModelConfig, name: str, folder: Path, putting_away: ExitStack) -> None:
        """Nothing is started yet; ``name`` is what the model will be called."""
        self.model = name
        self._config = config
        self._folder = folder
        self._putting_away = putting_away
        self._guard = threading.Lock()
        self._chat: Chat | None = None

    @property
    def identity(self) -> str:
        """The model's."""
        return self._brought_up().identity

    def complete(
        self,
        prompt: Prompt,
        *,
        seed: int,
        temperature: float,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """The model's answer.

        Raises:
            ModelError: it cannot be brought up.
        """
        return self._brought_up().complete(
            prompt, seed=seed, temperature=temperature, max_tokens=max_tokens, schema=schema
        )

    def check(self) -> None:
        """See that the model can be used."""
        self._brought_up().check()

    def _brought_up(self) -> Chat:
        with self._guard:
            if self._chat is None:
                self._chat = self._putting_away.enter_context(open_chat(self._config, self._folder))
        if self._chat is None:
            raise ModelError("no model is configured to write; choose another kind")
        return self._chat

"""A ChatModel is a chat endpoint that speaks OpenAI's protocol, whoever stands behind it: the embedded
model, a vLLM server, a remote service. One failed request is a Completion with an error; only an endpoint
that does not answer at all ends a command, and ``check`` finds that out before any work is done.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from pipeline.errors import ModelError
from pipeline.models.completion import Completion
from prompts import Prompt

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletionMessageParam

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Chat(Protocol):
    """The contract of everything that completes prompts. Implementations are frozen and picklable, so
    that they travel to workers.
    """

    @property
    def model(self) -> str:
        """The model's name, as it is written into rows."""
        ...

    @property
    def identity(self) -> str:
        """What makes two models the same for a cache: the name and, where known, the weights' hash."""
        ...

    def complete(
        self,
        prompt: Prompt,
        *,
        seed: int,
        temperature: float,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Answer one prompt; with ``schema`` (JSON Schema), as JSON of that shape. Never raises."""
        ...

    def check(self) -> None:
        """See that the model can be used.

        Raises:
            ModelError: when it cannot, with one sentence that says what to do.
        """
        ...


@dataclass(frozen=True)
class ChatModel:
    """An endpoint below ``base_url`` (``http://…/v1``). The key is read from the environment variable
    ``key_env`` when a request is made, so that it is never pickled or written anywhere.
    """

    base_url: str
    model: str
    identity: str = ""
    key_env: str = "OPENAI_API_KEY"
    timeout_s: float = 120.0
    retries: int = 6
    """Further attempts at a request after 429, 5xx, a timeout or a lost connection, with growing pauses."""

    def __post_init__(self) -> None:
        """A remote model is known by where it is and what it is called."""
        if not self.identity:
            object.__setattr__(self, "identity", f"{self.model}@{self.base_url}")

    def complete(
        self,
        prompt: Prompt,
        *,
        seed: int,
        temperature: float,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Answer one prompt. What goes wrong is the Completion's ``error``."""
        from openai import OpenAIError, omit  # noqa: PLC0415 - 0.5 s that --help must not pay

        try:
            answer = self._client().chat.completions.create(
                model=self.model,
                messages=_messages(prompt),
                seed=seed,
                temperature=temperature,
                max_tokens=max_tokens,
                response_format=omit
                if schema is None
                else {
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)},
                },
            )
        except (OpenAIError, ValueError) as error:  # ValueError: the body is no JSON
            return Completion(error=_sentence(error), model=self.model)
        # The library believes what it is sent, so the fields that its types promise may be missing.
        choice = next(iter(getattr(answer, "choices", None) or ()), None)
        if choice is None or choice.message is None:
            return Completion(error="the endpoint's answer is no chat completion", model=self.model)
        return Completion(
            text=choice.message.content or "",
            finish_reason=choice.finish_reason,
            prompt_tokens=answer.usage.prompt_tokens if answer.usage else 0,
            completion_tokens=answer.usage.completion_tokens if answer.usage else 0,
            model=self.model,
        )

    def check(self) -> None:
        """See that the endpoint answers and serves the model."""
        from openai import OpenAIError  # noqa: PLC0415 - as above

        try:
            served = [
                model.id for model in self._client().with_options(timeout=10.0, max_retries=1).models.list()
            ]
        except (OpenAIError, ValueError, AttributeError, TypeError) as error:  # or it answers with junk
            raise ModelError(
                f"No model answers at {self.base_url} ({_sentence(error)}): start the server, correct "
                'base_url, or choose kind = "none" to write with templates alone.'
            ) from error
        if served and self.model not in served:
            raise ModelError(
                f"{self.base_url} does not serve {self.model}: choose one of {', '.join(served[:5])}."
            )

    def _client(self) -> OpenAI:
        return _client(self.base_url, os.environ.get(self.key_env, ""), self.timeout_s, self.retries)


@lru_cache(maxsize=8)
def _client(base_url: str, key: str, timeout_s: float, retries: int) -> OpenAI:
    """One connection pool per endpoint and process; connections are no part of a frozen model."""
    from openai import DefaultHttpxClient, OpenAI  # noqa: PLC0415 - as above

    # A proxy that the environment names must not stand between us and our own machine.
    direct = urlsplit(base_url).hostname in LOOPBACK
    return OpenAI(
        base_url=base_url,
        api_key=key or "none",
        timeout=timeout_s,
        max_retries=retries,
        http_client=DefaultHttpxClient(trust_env=False) if direct else None,
    )


def _messages(prompt: Prompt) -> list[ChatCompletionMessageParam]:
    messages: list[ChatCompletionMessageParam] = [{"role": "system", "content": prompt.system}]
    for asked, answered in prompt.examples:
        messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
    return [*messages, {"role": "user", "content": prompt.user}]


def _sentence(error: Exception) -> str:
    """The error's first line, short enough for a row."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]

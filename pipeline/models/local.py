"""A LocalChat is a transformers model in this process: for machines whose GPU one library may fill, and for
models that no server serves. It needs the extra ``models``.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pipeline.errors import ModelError
from pipeline.models.completion import Completion
from prompts import Prompt

_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class LocalChat:
    """``model`` is a folder or, where the files are in the hub's cache already, a hub name."""

    model: str

    @property
    def identity(self) -> str:
        """The model's name; what it computes also depends on the library."""
        return f"{self.model}@transformers"

    def complete(
        self,
        prompt: Prompt,
        *,
        seed: int,
        temperature: float,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Answer one prompt. A schema cannot be enforced here and is an error."""
        if schema is not None:
            return Completion(error="a transformers model cannot be held to a schema", model=self.model)
        messages = [{"role": "system", "content": prompt.system}]
        for asked, answered in prompt.examples:
            messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
        messages.append({"role": "user", "content": prompt.user})
        try:
            with _ONE_AT_A_TIME:
                return self._generate(messages, seed, temperature, max_tokens)
        except (RuntimeError, ValueError) as error:
            return Completion(error=f"{type(error).__name__}: {error}"[:200], model=self.model)

    def check(self) -> None:
        """Load the model."""
        if importlib.util.find_spec("transformers") is None or importlib.util.find_spec("torch") is None:
            raise ModelError(
                "transformers is not installed: install the extra models, or choose another kind of model."
            )
        try:
            _loaded(self.model)
        except (OSError, ValueError) as error:
            raise ModelError(f"{self.model} cannot be loaded ({str(error).splitlines()[0]}).") from error

    def _generate(
        self, messages: list[dict[str, str]], seed: int, temperature: float, max_tokens: int
    ) -> Completion:
        from transformers import set_seed  # noqa: PLC0415 - seconds and gigabytes

        tokenizer, model = _loaded(self.model)
        inputs = tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
        ).to(model.device)
        sampling = {"do_sample": True, "temperature": temperature} if temperature else {"do_sample": False}
        set_seed(seed)
        output = model.generate(**inputs, max_new_tokens=max_tokens, **sampling)
        asked = inputs["input_ids"].shape[1]
        answer = output[0][asked:]
        return Completion(
            text=tokenizer.decode(answer, skip_special_tokens=True),
            finish_reason="length" if len(answer) >= max_tokens else "stop",
            prompt_tokens=asked,
            completion_tokens=len(answer),
            model=self.model,
        )


@lru_cache(maxsize=1)
def _loaded(name: str) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415 - as above

    tokenizer = AutoTokenizer.from_pretrained(name, local_files_only=True)
    model: Any = AutoModelForCausalLM.from_pretrained(name, local_files_only=True, dtype="auto")
    return tokenizer, model.eval()

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import ModelError
from pipeline.models.completion import Completion
from pipeline.models.ledger import Ledger
from pipeline.models.scripted import ScriptedChat
from prompts import Prompt


@dataclass
class Counting:
    """Says another thing every time it is asked, as a model without a seed would."""

    identity: str = "counting"
    model: str = "counting"
    fails: bool = False
    asked: list[int] = field(default_factory=list)

    def complete(self, _: Prompt, **parameters: Any) -> Completion:
        self.asked.append(parameters["seed"])
        if self.fails:
            return Completion(error="lost")
        return Completion(text=f"answer {len(self.asked)}", finish_reason="stop")

    def check(self) -> None:
        raise ModelError("gone")


def ask(ledger: Ledger, prompt: Prompt, **changes: Any) -> Completion:
    return ledger.complete(prompt, **({"seed": 1, "temperature": 0.0, "max_tokens": 9} | changes))


def test_the_same_question_is_asked_once(tmp_path: Path, prompt: Prompt) -> None:
    chat = Counting()

    first = ask(Ledger(chat, tmp_path), prompt)
    again = ask(Ledger(chat, tmp_path), prompt)

    assert first == again == Completion(text="answer 1", finish_reason="stop")
    assert chat.asked == [1]


@pytest.mark.parametrize(
    "changes", [{"seed": 2}, {"temperature": 0.5}, {"max_tokens": 10}, {"schema": {"type": "object"}}]
)
def test_other_parameters_are_another_question(changes: Any, tmp_path: Path, prompt: Prompt) -> None:
    chat = Counting()
    ledger = Ledger(chat, tmp_path)

    assert ask(ledger, prompt) != ask(ledger, prompt, **changes)


def test_another_model_or_other_words_are_another_question(tmp_path: Path, prompt: Prompt) -> None:
    chat = Counting()
    ask(Ledger(chat, tmp_path), prompt)
    ask(Ledger(chat, tmp_path), prompt.model_copy(update={"examples": ()}))
    other = Counting(identity="other")
    ask(Ledger(other, tmp_path), prompt)

    assert len(chat.asked) == 2
    assert len(other.asked) == 1


def test_failures_are_not_kept(tmp_path: Path, prompt: Prompt) -> None:
    chat = Counting(fails=True)
    ledger = Ledger(chat, tmp_path)

    assert ask(ledger, prompt).error
    chat.fails = False
    assert ask(ledger, prompt).text == "answer 2"


def test_a_broken_page_is_asked_for_again(tmp_path: Path, prompt: Prompt) -> None:
    chat = Counting()
    ledger = Ledger(chat, tmp_path)
    ask(ledger, prompt)
    page = next(tmp_path.rglob("*.json"))
    page.write_text(page.read_text()[:10])

    assert ask(ledger, prompt).text == "answer 2"
    assert not list(tmp_path.rglob("*.part"))


def test_it_travels_and_checks_as_what_is_behind_it(tmp_path: Path) -> None:
    ledger = Ledger(ScriptedChat((("add", ("Add it.",)),)), tmp_path)

    assert pickle.loads(pickle.dumps(ledger)) == ledger  # noqa: S301 - our own bytes
    with pytest.raises(ModelError):
        Ledger(Counting(), tmp_path).check()

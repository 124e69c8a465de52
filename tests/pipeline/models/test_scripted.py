from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import ModelError
from pipeline.models.scripted import ScriptedChat
from prompts import Prompt

PARAMETERS: dict[str, Any] = {"temperature": 0.0, "max_tokens": 9}


def test_the_seed_picks_the_reply(prompt: Prompt) -> None:
    chat = ScriptedChat((("open", ("no",)), ("add", ("one", "two"))))

    assert [chat.complete(prompt, seed=seed, **PARAMETERS).text for seed in range(3)] == ["one", "two", "one"]


def test_a_reply_that_is_too_long_is_cut_off_and_an_unknown_prompt_an_error(prompt: Prompt) -> None:
    long = ScriptedChat((("add", ("word " * 20,)),))

    assert long.complete(prompt, seed=0, **PARAMETERS).finish_reason == "length"
    assert ScriptedChat(()).complete(prompt, seed=0, **PARAMETERS).error


def test_a_script_is_a_json_object(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text('{"add": ["Add it."]}')
    assert ScriptedChat.load(path).script == (("add", ("Add it.",)),)

    for broken in ("[1]", "{", '{"add": 3}'):
        path.write_text(broken)
        with pytest.raises(ModelError, match="is not a script"):
            ScriptedChat.load(path)
    with pytest.raises(ModelError):
        ScriptedChat.load(tmp_path / "none.json")

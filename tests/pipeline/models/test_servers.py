from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from pydantic import ValidationError

from pipeline.errors import ModelError
from pipeline.models import files
from pipeline.models.servers import ModelConfig, open_chat
from prompts import Prompt


def embedded() -> ModelConfig:
    try:
        files.find(files.DEFAULT)
    except ModelError as missing:
        pytest.skip(str(missing))
    return ModelConfig()


def ask(chat: Any, user: str, **changes: Any) -> str:
    prompt = Prompt(system="Answer in one short line.", user=user, template="t", hash="h")
    answer = chat.complete(prompt, **({"seed": 1, "temperature": 0.0, "max_tokens": 16} | changes))
    assert not answer.error
    return str(answer.text)


def servers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children(recursive=True) if _serves(child)]


def _serves(process: psutil.Process) -> bool:
    try:
        return "pipeline.models.llama" in process.cmdline()
    except psutil.NoSuchProcess:  # a zombie counts as one
        return False


@pytest.mark.parametrize(
    "fields",
    [{"kind": "remote", "model": "m"}, {"kind": "vllm"}, {"kind": "scripted"}, {"kind": "other"}],
)
def test_a_config_that_lacks_something_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        ModelConfig.model_validate(fields)


def test_none_is_no_model(tmp_path: Path) -> None:
    with open_chat(ModelConfig(kind="none"), tmp_path) as chat:
        assert chat is None


def test_a_script_answers_and_is_remembered(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"open": ["Open it."]}')

    with open_chat(ModelConfig(kind="scripted", model=str(script)), tmp_path / "model") as chat:
        assert ask(chat, "open") == "Open it."
    assert len(list((tmp_path / "model" / "completions").rglob("*.json"))) == 1


def test_a_remote_endpoint_is_checked_first(endpoint: Any, tmp_path: Path) -> None:
    config = ModelConfig(kind="remote", base_url=endpoint.url, model="m")
    with open_chat(config, tmp_path) as chat:
        assert ask(chat, "add") == "Add a bill."

    with (
        pytest.raises(ModelError, match="does not serve"),
        open_chat(config.model_copy(update={"model": "x"}), tmp_path),
    ):
        pytest.fail("opened")


def test_a_missing_file_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(files.CACHE_ENV, str(tmp_path))
    monkeypatch.delenv(files.FOLDER_ENV, raising=False)

    with pytest.raises(ModelError, match="not on this machine"), open_chat(ModelConfig(), tmp_path):
        pytest.fail("opened")


@pytest.mark.parametrize("kind, library", [("vllm", "vllm"), ("transformers", "torch")])
def test_a_missing_library_is_named(kind: Any, library: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(library):
        pytest.skip(f"{library} is installed")
    with (
        pytest.raises(ModelError, match="install the extra"),
        open_chat(ModelConfig(kind=kind, model="some/model"), tmp_path),
    ):
        pytest.fail("opened")


@pytest.mark.slow
def test_what_was_asked_before_changes_no_answer(tmp_path: Path) -> None:
    config = embedded()
    stem = "Translate into German, one line: the weather in the small town by the sea was "
    with open_chat(config, tmp_path / "a") as chat:
        cold = ask(chat, stem + "fine.")
        ask(chat, stem + "foul and we stayed at home.")
        bold = ask(chat, stem + "dull.", seed=5, temperature=0.8)
    with open_chat(config, tmp_path / "b") as chat:
        assert ask(chat, stem + "dull.", seed=5, temperature=0.8) == bold
        assert ask(chat, stem + "fine.") == cold
    assert not servers()


@pytest.mark.slow
def test_a_server_that_dies_is_started_again(tmp_path: Path) -> None:
    with open_chat(embedded(), tmp_path) as chat:
        before = servers()
        before[-1].kill()
        psutil.wait_procs(before, timeout=30)
        deadline = time.monotonic() + 60
        while not servers() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert ask(chat, "Say hello.")
    assert not servers()

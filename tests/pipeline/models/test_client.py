from __future__ import annotations

import pickle
import socket
from typing import Any

import pytest

from pipeline.errors import ModelError
from pipeline.models.client import ChatModel
from prompts import Prompt

PARAMETERS: dict[str, Any] = {"seed": 3, "temperature": 0.0, "max_tokens": 9}


def test_an_answer_comes_with_its_cost(endpoint: Any, prompt: Prompt) -> None:
    got = ChatModel(endpoint.url, "m").complete(prompt, **PARAMETERS)

    assert (got.text, got.error, got.finish_reason) == ("Add a bill.", "", "stop")
    assert (got.prompt_tokens, got.completion_tokens, got.model) == (7, 3, "m")


def test_examples_are_sent_as_turns_and_parameters_as_they_are(endpoint: Any, prompt: Prompt) -> None:
    ChatModel(endpoint.url, "m").complete(prompt, **PARAMETERS, schema={"type": "object"})

    asked = endpoint.asked[0]
    assert [turn["role"] for turn in asked["messages"]] == ["system", "user", "assistant", "user"]
    assert (asked["seed"], asked["temperature"], asked["max_tokens"]) == (3, 0.0, 9)
    assert asked["response_format"]["json_schema"]["schema"] == {"type": "object"}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_asked_again(status: int, endpoint: Any, prompt: Prompt, say: Any) -> None:
    endpoint.script = [(status, "{}"), (status, "{}"), (200, say("Good."))]

    assert ChatModel(endpoint.url, "m").complete(prompt, **PARAMETERS).text == "Good."
    assert len(endpoint.asked) == 3


def test_retries_are_bounded_and_end_in_a_row(endpoint: Any, prompt: Prompt) -> None:
    endpoint.script = [(500, '{"error": {"message": "out of memory"}}')]

    got = ChatModel(endpoint.url, "m", retries=2).complete(prompt, **PARAMETERS)

    assert "out of memory" in got.error
    assert not got.text
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize("body", ['{"choices": []}', "{}", "<html>busy</html>", "null"])
def test_junk_is_an_error_of_that_item(body: str, endpoint: Any, prompt: Prompt) -> None:
    endpoint.script = [(200, body)]

    got = ChatModel(endpoint.url, "m", retries=0).complete(prompt, **PARAMETERS)

    assert got.error
    assert not got.complete


def test_no_content_is_no_answer(endpoint: Any, prompt: Prompt, say: Any) -> None:
    endpoint.script = [(200, say(None))]

    assert not ChatModel(endpoint.url, "m").complete(prompt, **PARAMETERS).complete


def test_a_key_comes_from_the_environment_and_is_not_pickled(
    endpoint: Any, prompt: Prompt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "hush")
    chat = ChatModel(endpoint.url, "m", key_env="MY_KEY")

    travelled = pickle.loads(pickle.dumps(chat))  # noqa: S301 - our own bytes
    travelled.complete(prompt, **PARAMETERS)

    assert travelled == chat
    assert b"hush" not in pickle.dumps(chat)
    assert endpoint.keys == ["Bearer hush"]


def test_an_endpoint_that_is_not_there_is_one_sentence(prompt: Prompt) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    chat = ChatModel(url, "m", retries=0)

    with pytest.raises(ModelError, match="start the server") as raised:
        chat.check()
    assert url in str(raised.value)
    assert "\n" not in str(raised.value)
    assert chat.complete(prompt, **PARAMETERS).error


def test_an_endpoint_must_serve_the_model(endpoint: Any) -> None:
    ChatModel(endpoint.url, "m").check()
    with pytest.raises(ModelError, match="does not serve other: choose one of m"):
        ChatModel(endpoint.url, "other").check()

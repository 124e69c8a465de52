"""A chat endpoint on loopback that speaks as much of OpenAI's protocol as the client uses."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from prompts import Prompt


class Endpoint:
    """What it was asked, and what it is to answer: ``(status, body)`` in order, the last one for ever."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.script: list[tuple[int, str]] = [(200, answer("Add a bill."))]
        self.url = ""

    def next(self) -> tuple[int, str]:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


def answer(text: str | None, reason: str = "stop") -> str:
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    return json.dumps(whole | {"choices": [choice], "usage": usage})


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say(200, json.dumps({"object": "list", "data": [{"id": "m", "object": "model"}]}))

        def do_POST(self) -> None:
            state.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            state.keys.append(self.headers["Authorization"])
            self._say(*state.next())

        def _say(self, status: int, body: str) -> None:
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("retry-after-ms", "1")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def prompt() -> Prompt:
    return Prompt(
        system="Word it.", user="do: add", examples=(("do: open", "Open it."),), template="t", hash="pt_1"
    )


@pytest.fixture
def say() -> Any:
    return answer

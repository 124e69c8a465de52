"""Where a model comes from: a ModelConfig says it, ``open_chat`` brings it up, checks it and takes it down.

Servers that are ours (embedded, vLLM) run as supervised child processes on loopback: they are started again
once if they die, and die with us whatever ends us.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from crawlers.host import HostError
from crawlers.processes import Service, free_port
from pipeline.errors import ModelError
from pipeline.models import files
from pipeline.models.client import Chat, ChatModel
from pipeline.models.ledger import Ledger
from pipeline.models.local import LocalChat
from pipeline.models.scripted import ScriptedChat
from schemas.record import Record, digest

HEARTBEAT_S = 0.5
VLLM_OUTPUTS = '{"backend": "xgrammar", "disable_any_whitespace": true}'
"""Without the second setting a small model may fill its whole answer with white space that JSON allows."""


class ModelConfig(Record):
    """Which model writes."""

    kind: Literal["embedded", "vllm", "transformers", "remote", "scripted", "none"] = "embedded"
    """``embedded`` the small model that set-up fetched; ``vllm`` a server that we start; ``transformers`` in
    this process; ``remote`` an endpoint that speaks OpenAI's protocol; ``scripted`` replies from a file;
    ``none`` templates alone."""
    model: str = ""
    """A pinned file's name (embedded), a folder or hub name (vllm, transformers), the endpoint's name of the
    model (remote), the script (scripted)."""
    base_url: str = ""
    """Of a remote endpoint: ``http://host:port/v1``."""
    key_env: str = "OPENAI_API_KEY"
    """Environment variable that holds a remote endpoint's key."""
    context: int = Field(default=4096, ge=512)
    """Tokens of prompt and answer together, for servers of ours."""
    threads: int = Field(default=1, ge=1)
    """Of the embedded server. More than are free make it slower, not faster."""
    args: tuple[str, ...] = ()
    """Further arguments of vLLM's server."""
    ready_s: float = Field(default=600.0, gt=0)
    """Seconds that a server of ours has to load its model."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "remote" and not (self.base_url and self.model):
            message = "a remote model needs base_url and model"
            raise ValueError(message)
        if self.kind in {"vllm", "transformers", "scripted"} and not self.model:
            message = f"a {self.kind} model needs model"
            raise ValueError(message)
        return self


@contextmanager
def open_chat(config: ModelConfig, folder: Path) -> Iterator[Chat | None]:
    """The configured model, checked and remembering its answers in ``folder``; None for ``none``.

    Raises:
        ModelError: it cannot be loaded or reached, in one sentence that says what to do.
    """
    if config.kind == "none":
        yield None
        return
    folder.mkdir(parents=True, exist_ok=True)
    with _chat(config, folder) as chat:
        chat.check()
        yield Ledger(chat, folder / "completions")


@contextmanager
def _chat(config: ModelConfig, folder: Path) -> Iterator[Chat]:
    match config.kind:
        case "remote":
            yield ChatModel(config.base_url, config.model, key_env=config.key_env)
        case "scripted":
            yield ScriptedChat.load(Path(config.model))
        case "transformers":
            yield LocalChat(config.model)
        case _:
            embedded = config.kind == "embedded"
            name = config.model or files.DEFAULT
            port = free_port()
            argv = _llama(config, name, port) if embedded else _vllm(config, port)
            identity = f"{name}@{files.pinned(name).sha256}" if embedded else digest("vl", name, config.args)
            with _Supervised(f"The model server of {name}", argv, port, config.ready_s, folder):
                yield ChatModel(f"http://127.0.0.1:{port}/v1", name, identity=identity)


def _llama(config: ModelConfig, name: str, port: int) -> list[str]:
    path = files.find(name)
    place = ["--model", str(path), "--name", name, "--port", str(port)]
    size = ["--context", str(config.context), "--threads", str(config.threads)]
    return [sys.executable, "-m", "pipeline.models.llama", *place, *size]


def _vllm(config: ModelConfig, port: int) -> list[str]:
    if importlib.util.find_spec("vllm") is None:
        raise ModelError("vLLM is not installed: install the extra vllm, or choose another kind of model.")
    module = "vllm.entrypoints.openai.api_server"
    place = ["--host", "127.0.0.1", "--port", str(port), "--max-model-len", str(config.context)]
    outputs = ["--structured-outputs-config", VLLM_OUTPUTS]
    return [sys.executable, "-m", module, "--model", config.model, *place, *outputs, *config.args]


class _Supervised:
    """A server of ours while it is needed. It keeps its port when it is started again, so that requests
    that are being retried find it.
    """

    def __init__(self, name: str, argv: list[str], port: int, ready_s: float, folder: Path) -> None:
        log = folder / "model.log"
        self._service = Service(name, argv, cwd=folder, log=log, env=_environment())
        self._port, self._ready_s = port, ready_s
        self._leaving = threading.Event()
        self._watch = threading.Thread(target=self._restart_once, name=name, daemon=True)

    def __enter__(self) -> Self:
        try:
            self._service.start()
            self._service.wait_ready(self._port, "/health", seconds=self._ready_s)
        except HostError as error:
            self._service.stop()
            raise ModelError(str(error)) from error
        except BaseException:
            self._service.stop()
            raise
        self._watch.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._leaving.set()
        self._watch.join()
        self._service.stop()

    def _restart_once(self) -> None:
        while not self._leaving.wait(HEARTBEAT_S):
            if not self._service.alive:
                self._service.stop()
                self._service.start()
                return


def _environment() -> Mapping[str, str]:
    """Ours, with this package in reach and every library told to stay offline and silent."""
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
    quiet = {"HF_HUB_OFFLINE": "1", "DO_NOT_TRACK": "1", "VLLM_NO_USAGE_STATS": "1", "OMP_NUM_THREADS": "1"}
    return {**os.environ, **quiet, "PYTHONPATH": path}

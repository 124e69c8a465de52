"""What all tests share: nothing leaves the machine, and there is a small run to look at."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from crawlers.platforms import HostPool
from crawlers.scripted import ScriptedHost, scripted_app
from pipeline.config import ComposeConfig, Config, CrawlConfig
from pipeline.models.servers import ModelConfig
from pipeline.order import Order
from pipeline.workshop import Workshop
from schemas.app import App, Locus

Connect = Any


class LeftTheMachineError(AssertionError):
    """A test tried to reach something other than this machine."""


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection of this process that does not go to loopback."""
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
    monkeypatch.setattr(socket, "getaddrinfo", _resolving(socket.getaddrinfo))


def _guarded(connect: Connect) -> Connect:
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in {socket.AF_INET, socket.AF_INET6} and not _is_loopback(address[0]):
            raise LeftTheMachineError(f"a test wanted to connect to {address[0]}")
        return connect(self, address)

    return guarded


def _resolving(getaddrinfo: Connect) -> Connect:
    def guarded(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host and not _is_loopback(host):
            raise LeftTheMachineError(f"a test wanted to look up {host}")
        return getaddrinfo(host, *args, **kwargs)

    return guarded


def _is_loopback(host: str | bytes) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


@dataclass(frozen=True)
class ScriptedPool(HostPool):
    """Hosts of the App in memory, one per language and process."""

    def host(self, app: App, lang: str) -> ScriptedHost:
        if lang not in _scripted:
            _scripted[lang] = ScriptedHost(app, lang)
            _scripted[lang].start()
        return _scripted[lang]

    def close_all(self) -> None:
        _scripted.clear()


CODE = "as it is"
"""Stands for the hash of our sources, which may change while somebody works on them."""

_scripted: dict[str, ScriptedHost] = {}


def scripted_workshop(folder: Path, runner: Literal["memory", "beam"] = "memory") -> Workshop:
    """A small run of the App in memory, in two languages, written by templates."""
    app = scripted_app()
    config = Config(
        app=("scripted",),
        runner=runner,
        crawl=CrawlConfig(actions=90),
        compose=ComposeConfig(limit=6),
        model=ModelConfig(kind="none"),
    )
    loci = tuple(Locus(app=app, lang=lang) for lang in app.languages)
    order = Order(config=config, apps=(app,), loci=loci, writer=None, code=CODE)
    return Workshop(folder, order, pool=ScriptedPool())


@pytest.fixture(name="scripted_workshop")
def _scripted_workshop() -> Callable[..., Workshop]:
    return scripted_workshop


@pytest.fixture(scope="session")
def published_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of the App in memory, made and published once. Not to be changed."""
    folder = tmp_path_factory.mktemp("runs") / "scripted"
    with scripted_workshop(folder).open() as workshop:
        workshop.publish(workshop.make("verdicts"))
    return folder

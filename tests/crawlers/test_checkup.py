"""Checkups of an App in memory that keeps what is written or does not, and is put back or is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import pytest

from crawlers.checkup import ROUNDS, examine
from crawlers.driver import DriverError
from crawlers.host import HostError
from crawlers.steps import action_of
from schemas.action import Action, Click, Open, Press, Select, Type
from schemas.app import App, Locale, Platform, Step, Trial
from schemas.effect import Evidence
from schemas.screen import Element, Quality, State

NOTES = App(
    name="notes",
    title="Notes",
    platform=Platform.WEB,
    licence="MIT",
    serve=("notes",),
    locale=Locale(via="browser", codes={"en": "en"}),
    trial=Trial(
        shows="Buy salt", steps=(Step(do="open", at="/new"), Step(do="enter", at="#note", text="Buy salt"))
    ),
)


@dataclass
class Host:
    """Keeps notes, in as many ways as a test wants it to go wrong."""

    app: App = NOTES
    lang: str = "en"
    memory: int = 4096
    forgets: bool = False
    """Whether what is written is lost at once."""
    remembers: bool = False
    """Whether a reset brings nothing back."""
    moody: bool = False
    """Whether its entry looks different every time."""
    broken: bool = False
    notes: list[str] = field(default_factory=list)
    visits: int = 0
    log: list[str] = field(default_factory=list)

    def start(self) -> None:
        self.log.append("start")

    def restore(self) -> None:
        self.log.append("restore")
        if not self.remembers:
            self.notes.clear()

    def stop(self) -> None:
        self.log.append("stop")

    def driver(self) -> Driver:
        self.visits += 1
        return Driver(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        pass


class Driver:
    def __init__(self, host: Host) -> None:
        self.host = host
        self.address = "/"

    def observe(self) -> State:
        host = self.host
        lines = ["Notes", "Add", *(host.notes if self.address != "/" else ())]
        mood = str(host.visits) if host.moody else ""
        elements = tuple(
            Element(key=line, template=line, role="link", name=line, clickable=line == "Add")
            for line in lines
        )
        return State(
            id="st_" + mood + self.address, structure="", app="notes", lang="en", address=self.address,
            route=self.address, elements=elements, width=1, height=1, status=500 if host.broken else 200,
            quality=Quality.ERROR if host.broken else Quality.OK,
        )  # fmt: skip

    def perform(self, action: Action) -> Evidence:
        if isinstance(action, Open):
            self.address = action.address
        elif isinstance(action, Type) and not self.host.forgets:
            self.host.notes.append(action.text)
        elif isinstance(action, Click):
            raise DriverError("target_missing", "The button is not on this screen.")
        return Evidence()

    def screenshot(self) -> bytes:
        return b"picture"

    def close(self) -> None:
        self.host.log.append("close")


def test_a_sound_app_is_started_seen_written_to_and_put_back() -> None:
    host, pictures = Host(), list[bytes]()
    checkup = examine(host, pictures.append)
    assert (checkup.app, checkup.lang, checkup.memory, checkup.wrote) == ("notes", "en", 4096, True)
    assert checkup.words == ("Add",)
    assert pictures == [b"picture"]
    assert host.log.count("restore") == ROUNDS
    assert host.log.count("close") == host.visits
    assert host.log[-1] == "stop"


def test_an_app_without_a_trial_says_that_nothing_was_written() -> None:
    assert not examine(Host(app=NOTES.model_copy(update={"trial": None})), bytes).wrote


@pytest.mark.parametrize(
    "fault,complaint",
    [
        ({"forgets": True}, "'Buy salt' of its trial does not show on /new"),
        ({"remembers": True}, "a reset does not take back what its trial wrote"),
        ({"moody": True}, "its entry is not the same after a reset"),
        ({"broken": True}, "its entry answers 500"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_the_app_is_stopped(fault: dict[str, Any], complaint: str) -> None:
    host = Host(**fault)
    with pytest.raises(HostError, match=f"^Notes: .*{complaint}"):
        examine(host, bytes)
    assert host.log[-1] == "stop"


def test_a_step_that_cannot_be_done_is_named() -> None:
    trial = Trial(shows="x", steps=(Step(do="click", at="#gone"),))
    with pytest.raises(HostError, match="Notes: step click #gone of its trial failed: The button is not"):
        examine(Host(app=NOTES.model_copy(update={"trial": trial})), bytes)


@pytest.mark.parametrize(
    "step,kind,check",
    [
        (Step(do="open", at="/new"), Open, lambda action: action.address == "/new"),
        (
            Step(do="type", at="#a", text="b"),
            Type,
            lambda action: action.text == "b" and not action.submit_after,
        ),
        (Step(do="enter", at="#a", text="b"), Type, lambda action: action.submit_after),
        (Step(do="select", at="#a", text="3"), Select, lambda action: action.value == "3"),
        (Step(do="click", at="#a"), Click, lambda action: action.target.locators[0].value == "#a"),
        (Step(do="click", at="window/button"), Click, lambda action: action.target.key == "window/button"),
        (Step(do="press", at="#a", text="Control+s"), Press, lambda action: action.keys == ("Control", "s")),
    ],
)
def test_steps_are_actions(step: Step, kind: type, check: Callable[[Any], bool]) -> None:
    action = action_of(step)
    assert isinstance(action, kind)
    assert check(action)

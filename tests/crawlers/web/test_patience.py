"""What is waited for: pure but for the event loop's clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from crawlers.web import patience
from crawlers.web.patience import Patience

LONG, SHORT = 5.0, 0.02


@dataclass(eq=False)
class Asked:
    """As much of a request as counts."""

    url: str = "http://127.0.0.1:1/data"
    method: str = "GET"
    resource_type: str = "fetch"
    document: bool = False

    def is_navigation_request(self) -> bool:
        return self.document


def told(work: Callable[[Any], Awaitable[None]]) -> None:
    async def run() -> None:
        await work(Patience())

    asyncio.run(run())


async def idle(held: Patience, seconds: float = SHORT) -> None:
    await held.idle(seconds, lambda: False)


def test_an_answer_is_waited_for() -> None:
    async def work(held: Any) -> None:
        asked = Asked()
        held.started(asked)
        asyncio.get_running_loop().call_later(0.05, held.ended, asked)
        await idle(held, LONG)
        assert (held.busy, held.unsure, held.open) == (False, False, ())

    told(work)


def test_what_hangs_is_unsure_once_and_a_poll_the_second_time() -> None:
    async def work(held: Any) -> None:
        for unsure in (True, False):
            asked = Asked()
            held.started(asked)
            await idle(held)
            assert (held.busy, held.unsure) == (False, unsure)
            held.ended(asked)
        held.forget()
        held.started(Asked())
        assert not held.busy, "the next session knows it"

    told(work)


def test_late_data_is_waited_for_again_and_a_poll_that_is_asked_again_by_itself_is_not() -> None:
    async def work(held: Any) -> None:
        late = Asked()
        held.started(late)
        await idle(held)
        held.answered(late)
        held.ended(late)
        held.begin()  # a new action asks for it
        held.started(again := Asked())
        assert held.busy
        await idle(held)
        held.answered(again)
        held.started(Asked())  # the page asks by itself
        assert not held.busy

    told(work)


def test_a_body_that_nobody_reads_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "BODY_S", 0.05)

    async def work(held: Any) -> None:
        asked = Asked()
        held.started(asked)
        held.answered(asked)
        assert held.busy
        await idle(held, LONG)
        assert (held.busy, held.unsure, held.open) == (False, False, (asked,))

    told(work)


def test_streams_never_count_and_documents_always_do() -> None:
    async def work(held: Any) -> None:
        held.started(Asked(resource_type="eventsource"))
        assert not held.busy
        held.started(Asked(document=True))
        await idle(held)
        assert (held.busy, held.loading) == (True, True)

    told(work)


def test_waiting_ends_when_nothing_can_come_of_it() -> None:
    async def work(held: Any) -> None:
        held.started(Asked())
        asyncio.get_running_loop().call_later(0.02, held.wake)
        await held.idle(LONG, lambda: True)
        assert (held.busy, held.unsure) == (True, False)

    told(work)

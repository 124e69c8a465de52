"""A Link is a connection to the accessibility bus of one session: calls with time-outs, and the time since
anything was last said to have changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Literal

from dbus_fast import BusType, Message, MessageType
from dbus_fast.aio import MessageBus

CALL_S = 5.0
"""Longest wait for one answer. A program that is busy answers late, one that hangs does not."""
AT_ONCE = 64
"""Calls in flight: more only fill the program's queue."""

REGISTRY = "org.a11y.atspi.Registry"
ROOT = "/org/a11y/atspi/accessible/root"
ATSPI = "org.a11y.atspi."
_BUS = "org.freedesktop.DBus"
_EVENTS = ("object:", "window:")


class CallError(Exception):
    """One call failed: ``late`` (no answer in time), ``gone`` (nobody there any more), ``refused``."""

    def __init__(self, kind: Literal["late", "gone", "refused"], message: str) -> None:
        """Keep the kind beside the sentence."""
        super().__init__(message)
        self.kind = kind


_GONE = ("ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected", "UnknownObject")


class Link:
    """Use ``Link.open``. Belongs to the loop that opened it."""

    def __init__(self, bus: MessageBus) -> None:
        """Listen on a connection that is open."""
        self._bus = bus
        self._turns = asyncio.Semaphore(AT_ONCE)
        self.stirred = time.monotonic()
        """When a program last said that something had changed."""
        bus.add_message_handler(self._heard)

    @classmethod
    async def open(cls, session: str) -> Link:
        """Connect by way of the session bus at that address, and ask programs to say what changes.

        Raises:
            CallError: there is no accessibility bus.
        """
        try:
            first = await MessageBus(bus_address=session, bus_type=BusType.SESSION).connect()
            try:
                address = await _call(
                    first, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", seconds=10.0
                )
            finally:
                first.disconnect()
            link = cls(await MessageBus(bus_address=address[0], bus_type=BusType.SESSION).connect())
        except (OSError, EOFError) as error:
            raise CallError("gone", f"the accessibility bus cannot be reached ({error})") from error
        for event in _EVENTS:
            await link.call(
                REGISTRY, "/org/a11y/atspi/registry", REGISTRY, "RegisterEvent", "sass", [event, [], ""]
            )
        rule = "type='signal',interface='org.a11y.atspi.Event.{}'"
        for kind in ("Object", "Window"):
            await link.call(_BUS, "/org/freedesktop/DBus", _BUS, "AddMatch", "s", [rule.format(kind)])
        return link

    async def call(  # noqa: PLR0913, PLR0917 - what a call is made of
        self,
        name: str,
        path: str,
        interface: str,
        member: str,
        signature: str = "",
        body: list[Any] | None = None,
        seconds: float = CALL_S,
    ) -> list[Any]:
        """The answer's values.

        Raises:
            CallError: there was none.
        """
        async with self._turns:
            return await _call(self._bus, name, path, interface, member, signature, body, seconds)

    async def get(self, name: str, path: str, interface: str, property_: str, seconds: float = CALL_S) -> Any:
        """One property of an object.

        Raises:
            CallError: it has none.
        """
        answer = await self.call(
            name,
            path,
            "org.freedesktop.DBus.Properties",
            "Get",
            "ss",
            [ATSPI + interface, property_],
            seconds,
        )
        return answer[0].value

    async def get_all(self, name: str, path: str, interface: str) -> dict[str, Any]:
        """All properties of an object. Not every toolkit survives this (see ``quirks``).

        Raises:
            CallError: it has none.
        """
        properties = "org.freedesktop.DBus.Properties"
        answer = await self.call(name, path, properties, "GetAll", "s", [ATSPI + interface])
        return {key: variant.value for key, variant in answer[0].items()}

    async def programs(self) -> list[str]:
        """Bus names of all programs that can be read."""
        answer = await self.call(REGISTRY, ROOT, ATSPI + "Accessible", "GetChildren")
        return [name for name, _ in answer[0]]

    async def pid(self, name: str) -> int:
        """Number of the process that is known by that bus name."""
        answer = await self.call(
            _BUS, "/org/freedesktop/DBus", _BUS, "GetConnectionUnixProcessID", "s", [name]
        )
        return int(answer[0])

    def close(self) -> None:
        """Hang up."""
        with contextlib.suppress(OSError, EOFError):
            self._bus.disconnect()

    def _heard(self, message: Message) -> None:
        if message.message_type is MessageType.SIGNAL and (message.interface or "").startswith(
            "org.a11y.atspi.Event"
        ):
            self.stirred = time.monotonic()


async def _call(  # noqa: PLR0913, PLR0917 - as Link.call
    bus: MessageBus,
    name: str,
    path: str,
    interface: str,
    member: str,
    signature: str = "",
    body: list[Any] | None = None,
    seconds: float = CALL_S,
) -> list[Any]:
    message = Message(
        destination=name, path=path, interface=interface, member=member, signature=signature, body=body or []
    )
    try:
        async with asyncio.timeout(seconds):  # unlike wait_for, it makes no task for each of thousands
            answer = await bus.call(message)
    except TimeoutError:
        raise CallError("late", f"{member} was not answered within {seconds:g} s") from None
    except (OSError, EOFError) as error:
        raise CallError("gone", f"the accessibility bus is gone ({error})") from error
    if answer is None or answer.message_type is MessageType.ERROR:
        what = str(answer.error_name if answer else "")
        said = str(answer.body[0]) if answer and answer.body else what
        raise CallError("gone" if what.endswith(_GONE) else "refused", f"{member}: {said}")
    return list(answer.body)

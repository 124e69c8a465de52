"""The Host contract: starts an App, restores it to a known state, stops it, and hands out Drivers."""

from __future__ import annotations

from typing import Protocol, Self

from crawlers.driver import Driver
from schemas.app import App


class HostError(Exception):
    """The App's environment failed: it could not be installed, started, restored or reached. The message
    is one sentence that says what to do.
    """


class Host(Protocol):
    """One running instance of one App in one language, on loopback, with data of its own.

    A context manager: leaving it stops every process that it started.
    """

    @property
    def app(self) -> App:
        """The recipe."""
        ...

    @property
    def lang(self) -> str:
        """BCP-47 tag of the language that the App was set to speak."""
        ...

    @property
    def memory(self) -> int:
        """Bytes that the App's processes hold now; 0 where it has none of its own."""
        ...

    def start(self) -> None:
        """Install what is missing, set up, seed, take the pristine copy, serve, wait until ready.

        Raises:
            HostError: with one sentence that says what to do.
        """
        ...

    def restore(self) -> None:
        """Bring the App's data back to the pristine copy, restarting the App when it must be."""
        ...

    def driver(self) -> Driver:
        """A fresh session (no cookies, no storage), logged in, at the App's entry. The entry is loaded when
        it is needed: not where another address is opened first.
        """
        ...

    def stop(self) -> None:
        """Stop the App's whole process group and remove its working data. Safe to call twice."""
        ...

    def __enter__(self) -> Self:
        """Start."""
        ...

    def __exit__(self, *exc: object) -> None:
        """Stop."""
        ...

"""Facts: what is known of one object of a program before it is looked at more closely."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from crawlers.desktop.details import Details

_NULL = "/org/a11y/atspi/null"
"""AT-SPI's path for no object."""


class Ref(NamedTuple):
    """What an object is called by. A view of the web in a program's window is the tree of another process, so
    the path alone does not tell.
    """

    owner: str
    """Name on the bus of the process that answers for it."""
    path: str

    def __bool__(self) -> bool:
        """Whether it is an object at all."""
        return self.path != _NULL


@dataclass
class Facts:
    """What is known of one object."""

    ref: Ref
    role: str
    name: str
    description: str
    states: int
    interfaces: frozenset[str]
    count: int
    """Children it claims to have; -1 where it does not say."""
    children: list[Ref] = field(default_factory=list)
    details: Details = field(default_factory=Details)


def bits(words: list[int]) -> int:
    """Both halves of a set of states as one number."""
    low, high = (*words, 0, 0)[:2]
    return low | high << 32


def short(interfaces: list[str]) -> frozenset[str]:
    """Names of interfaces without what all begin with."""
    return frozenset(name.rpartition(".")[2] for name in interfaces)

"""Facts: what is known of one object of a program before it is looked at more closely."""

from __future__ import annotations

from dataclasses import dataclass, field

from crawlers.desktop.details import Details


@dataclass
class Facts:
    """What is known of one object."""

    path: str
    role: str
    name: str
    description: str
    states: int
    interfaces: frozenset[str]
    count: int
    """Children it claims to have; -1 where it does not say."""
    children: list[str] = field(default_factory=list)
    details: Details = field(default_factory=Details)


def bits(words: list[int]) -> int:
    """Both halves of a set of states as one number."""
    low, high = (*words, 0, 0)[:2]
    return low | high << 32


def short(interfaces: list[str]) -> frozenset[str]:
    """Names of interfaces without what all begin with."""
    return frozenset(name.rpartition(".")[2] for name in interfaces)

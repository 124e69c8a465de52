"""When is a program's tree whole? The first read after a cold start often holds a window and nothing in it,
so a tree is believed when it has stopped growing, or when waiting longer would be pointless.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

STEADY_S = 0.15
"""A tree that has not grown for this long has stopped."""
CAP_S = 8.0
"""Longest wait for a tree that is bare, or that never stands still."""
BARE = 2
"""Objects of a tree that holds nothing but an empty window."""


@dataclass
class Growth:
    """Watches the size of a tree from read to read."""

    reads: int = 0
    size: int = 0
    _since: float = field(default_factory=time.monotonic)

    def whole(self, size: int, *, now: float, quiet_s: float) -> bool:
        """Whether a read of so many objects may be believed; ``quiet_s`` is for how many seconds the program
        has said nothing.
        """
        self.reads += 1
        if size != self.size:
            self.size, self._since = size, now
            return False
        steady = now - self._since
        if bare(size):
            return steady > CAP_S
        return (steady >= STEADY_S and quiet_s >= STEADY_S) or steady > CAP_S


def bare(size: int) -> bool:
    """Whether a tree of that size holds nothing to act on."""
    return size <= BARE

"""A Trajectory is one execution: N Steps and N+1 observations; the last Step is the terminal action."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from schemas.action import Action
from schemas.effect import Effect
from schemas.record import Record
from schemas.screen import State


class Policy(StrEnum):
    """Who chose the actions."""

    REFERENCE = "reference"
    ABLATION = "ablation"
    NEAR_MISS = "near_miss"
    DO_NOTHING = "do_nothing"
    RANDOM = "random"
    AGENT = "agent"


class Step(Record):
    """One action between two observations."""

    index: int
    action: Action
    effect: Effect
    status: Literal["ok", "failed", "timeout", "blocked"] = "ok"
    error: str = ""
    ms: int = 0
    """Time it took until the screen was stable; never part of an id."""


class Trajectory(Record):
    """One execution of a path from the App's pristine state."""

    id: str
    """``tr_`` + hash of task, policy, attempt and actions."""
    task: str
    app: str
    lang: str
    policy: Policy
    attempt: int = 0
    steps: tuple[Step, ...]
    observations: tuple[State, ...]
    """``len(steps) + 1`` of them."""
    end: Literal["finished", "target_missing", "error", "environment"] = "finished"
    """Why it ended; anything but ``finished`` cut it short."""

    @property
    def first(self) -> State:
        """The initial observation."""
        return self.observations[0]

    @property
    def last(self) -> State:
        """The final observation."""
        return self.observations[-1]

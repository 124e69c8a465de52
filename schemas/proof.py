"""A Proof is the named checks that a Task passed, with the executions that show it."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from schemas.capability import CapabilityTree
from schemas.record import Record
from schemas.task import Task
from schemas.trajectory import Policy, Trajectory


class Gate(StrEnum):
    """The eight checks of a Task, in the order in which they are made (cheap ones first)."""

    GROUNDED = "grounded"
    LANGUAGE = "language"
    UNIQUE = "unique"
    UNAMBIGUOUS = "unambiguous"
    FRESH = "fresh"
    REPLAYED = "replayed"
    NECESSARY = "necessary"
    DISCRIMINATING = "discriminating"


class Fault(StrEnum):
    """Whose fault a failed execution was."""

    ENVIRONMENT = "environment"
    TASK = "task"
    VERIFIER = "verifier"
    AGENT = "agent"


class Execution(Record):
    """One execution made for a gate, and what the verifier said to it."""

    trajectory: str
    policy: Policy
    purpose: str
    """``replay 1``, ``omit step 2: Click "Add"``, ``wrong_entity: Bob`` …"""
    verified: bool
    expected: bool
    steps: int
    unmet: tuple[str, ...] = ()
    """Ids of the keypoints that did not hold."""
    fault: Fault | None = None


class Check(Record):
    """One gate's answer."""

    gate: Gate
    passed: bool
    detail: str = ""
    """One sentence; for a failure, what would have to change."""
    executions: tuple[Execution, ...] = ()


class TaskSet(Record):
    """All Tasks of one App in one language with the capabilities they could be mistaken for."""

    tree: CapabilityTree
    tasks: tuple[Task, ...]


class Candidate(Record):
    """A Task that passed the gates that need no execution."""

    task: Task
    checks: tuple[Check, ...]


class Proof(Record):
    """All checks of one Task."""

    id: str
    """``pf_`` + hash of task and checks' outcomes."""
    task: str
    checks: tuple[Check, ...]


class Proved(Record):
    """A Task with its Proof and its proving Trajectories."""

    task: Task
    proof: Proof
    trajectories: tuple[Trajectory, ...]
    """The replays, in order; two of them."""
    kind: Literal["proved"] = "proved"

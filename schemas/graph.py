"""A FunctionGraph is all States and Transitions that were observed of one App in one language."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from enum import StrEnum

from schemas.action import Action
from schemas.effect import Effect
from schemas.record import Record
from schemas.screen import State


class Risk(StrEnum):
    """What might be lost by trying an Action, decided before it is tried."""

    NONE = "none"
    REVERSIBLE = "reversible"
    """Writes that the App itself can take back."""
    IRREVERSIBLE = "irreversible"
    """Deletes, resets, erasures: only on hosts that can be restored."""
    ACCOUNT = "account"
    """Ends or changes the session: logout, password, account removal."""
    FINANCIAL = "financial"
    """Payment-like: never outside a resettable host."""
    EXTERNAL = "external"
    """Reaches other people: mail, invitations, posting elsewhere. Never tried."""


class Transition(Record):
    """State --Action--> State, with its Effect."""

    id: str
    """``ed_`` + hash of source, action and target."""
    source: str
    """State id."""
    action: Action
    target: str
    """State id; the source again when nothing changed."""
    effect: Effect
    risk: Risk = Risk.NONE
    clean: bool = True
    """Whether the App's data was pristine when the Action was performed, so that the source can be
    reached again without repeating any write."""


class Untried(Record):
    """An Action that was seen and not performed, and why."""

    state: str
    key: str
    label: str
    reason: str


class Coverage(Record):
    """What an exploration reached, in numbers."""

    states: int = 0
    structures: int = 0
    transitions: int = 0
    actions: int = 0
    """Actions performed, walks back to a frontier included."""
    clickables: int = 0
    clickables_tried: int = 0
    forms: int = 0
    forms_tried: int = 0
    resets: int = 0
    page_loads: int = 0
    sessions_lost: int = 0
    """Times that a screen behind a login asked for the password again."""
    routes: tuple[str, ...] = ()
    """``METHOD /template`` of every request to the App's own server, sorted."""
    routes_reached: int | None = None
    """Of ``routes_known``, those that a request reached; None where that is."""
    routes_known: int | None = None
    """Routes that the App lists itself and that a user can come to; None where it lists none."""
    lines: int | None = None
    """Lines of the App's own Python code that ran on its server, beyond those that starting it runs; None
    where they were not counted or the App is no Python program that was installed by us."""
    statements: int | None = None
    """Statements in the files of which at least one line ran; None where ``lines`` is."""
    wall_s: float = 0.0


class FunctionGraph(Record):
    """Everything one exploration observed."""

    app: str
    """App name."""
    app_id: str
    lang: str
    root: str
    """Id of the State every path starts in: the App's entry, logged in, data pristine."""
    states: tuple[State, ...]
    transitions: tuple[Transition, ...]
    untried: tuple[Untried, ...] = ()
    coverage: Coverage = Coverage()

    def by_id(self) -> Mapping[str, State]:
        """States by id."""
        return {state.id: state for state in self.states}

    def paths(self) -> Mapping[str, tuple[Transition, ...]]:
        """For every State reachable from the root, a shortest path; ties go to the earlier Transition."""
        outgoing: dict[str, list[Transition]] = {}
        for transition in self.transitions:
            outgoing.setdefault(transition.source, []).append(transition)
        found: dict[str, tuple[Transition, ...]] = {self.root: ()}
        queue = deque([self.root])
        while queue:
            here = queue.popleft()
            for transition in outgoing.get(here, ()):
                if transition.target not in found:
                    found[transition.target] = (*found[here], transition)
                    queue.append(transition.target)
        return found

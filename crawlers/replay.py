"""Replay: run a path from the App's pristine state and record the Trajectory."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from crawlers.driver import Driver, DriverError, ImageSink
from crawlers.effects import read
from crawlers.forms import expanded
from crawlers.host import Host, HostError
from crawlers.picture import pictured
from schemas.action import Action, Finish, action_id
from schemas.effect import Effect, EffectClass, Outcome
from schemas.record import digest
from schemas.screen import State
from schemas.trajectory import Policy, Step, Trajectory

End = Literal["finished", "target_missing", "error", "environment"]
Status = Literal["ok", "failed", "timeout", "blocked"]

_OUTCOME = {
    "blocked": Outcome.BLOCKED,
    "timeout": Outcome.TIMEOUT,
    "crashed": Outcome.CRASH,
    "target_missing": Outcome.UNCHANGED,
}


def replay(  # noqa: PLR0913 - what identifies an execution, each by name
    host: Host,
    actions: Sequence[Action],
    *,
    task: str,
    policy: Policy,
    attempt: int = 0,
    images: ImageSink | None = None,
    onward: Sequence[Action] = (),
    answer: str = "",
) -> Trajectory:
    """Restore the App, perform the actions in a fresh session, and finish. ``onward`` is performed after
    them, in the same session.

    Compound actions are performed as their primitives. The terminal Finish is a Step of its own between
    two equal observations. An action that cannot be done ends the episode; ``end`` says why. Screenshots
    are taken only where ``images`` is given, and of nothing onward. A session or an App that dies is
    replaced once and the whole path is run again; the second death ends with ``environment``.

    Raises:
        HostError: when the App cannot even be brought to its entry.
    """
    path, further = expanded(actions), expanded(onward)
    try:
        episode = _run(host, path, further, images)
    except HostError:
        episode = None
    if episode is None or episode.end == "environment":
        host.stop()
        host.start()
        episode = _run(host, path, further, images)
    episode.finish(answer)
    return Trajectory(
        id=digest("tr", task, policy, attempt, [action_id(action) for action in (*path, *further)]),
        task=task,
        app=host.app.name,
        lang=host.lang,
        policy=policy,
        attempt=attempt,
        steps=tuple(episode.steps),
        observations=tuple(episode.observations),
        end=episode.end,
    )


@dataclass
class _Episode:
    """A Trajectory being recorded."""

    driver: Driver
    images: ImageSink | None
    steps: list[Step] = field(default_factory=list)
    observations: list[State] = field(default_factory=list)
    end: End = "finished"

    def look(self) -> None:
        """Record the present screen."""
        state = self.driver.observe()
        if self.images is not None:
            state = pictured(self.driver, state, self.images)
        self.observations.append(state)

    def do(self, action: Action) -> None:
        """Perform one action and record it with what it changed."""
        began = time.monotonic()
        evidence = self.driver.perform(action)
        self.look()
        before, after = self.observations[-2:]
        effect = read(before, action, after, evidence)
        self._step(action, effect, ms=round(1000 * (time.monotonic() - began)))

    def fail(self, action: Action, error: DriverError) -> None:
        """Record an action that could not be done; the screen is taken to be as it was."""
        status: Status = "timeout" if error.kind == "timeout" else "failed"
        if error.kind == "blocked":
            status = "blocked"
        ends: dict[str, End] = {"target_missing": "target_missing", "crashed": "environment"}
        self.end = ends.get(error.kind, "error")
        effect = Effect(classes=(EffectClass.NONE,), outcome=_OUTCOME[error.kind])
        # An action that failed may have been followed by an observation that failed.
        del self.observations[len(self.steps) + 1 :]
        self.observations.append(self.observations[-1])
        self._step(action, effect, status=status, error=str(error))

    def finish(self, answer: str) -> None:
        """Record the terminal action."""
        status: Literal["success", "failure"] = "success" if self.end == "finished" else "failure"
        self.observations.append(self.observations[-1])
        effect = Effect(classes=(EffectClass.NONE,), outcome=Outcome.UNCHANGED)
        self._step(Finish(status=status, answer=answer), effect)

    def _step(
        self, action: Action, effect: Effect, *, status: Status = "ok", error: str = "", ms: int = 0
    ) -> None:
        index = len(self.steps)
        self.steps.append(Step(index=index, action=action, effect=effect, status=status, error=error, ms=ms))


def _run(host: Host, path: Sequence[Action], further: Sequence[Action], images: ImageSink | None) -> _Episode:
    """One try from the pristine state; raises HostError where not even the entry is reached."""
    host.restore()
    try:
        episode = _Episode(host.driver(), images)
    except DriverError as error:
        raise HostError(f"No session of {host.app.name} can be opened ({error}); start it again.") from error
    try:
        try:
            episode.look()
        except DriverError as error:
            raise HostError(f"The entry of {host.app.name} cannot be read ({error}).") from error
        for place, action in enumerate((*path, *further)):
            if place == len(path):
                episode.images = None
            try:
                episode.do(action)
            except DriverError as error:
                episode.fail(action, error)
                break
    finally:
        episode.driver.close()
    return episode

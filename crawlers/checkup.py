"""A checkup tries one App in one language: it starts, shows itself, keeps what is written, is put back."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing

from crawlers.driver import Driver, DriverError
from crawlers.host import Host, HostError
from crawlers.steps import action_of
from schemas.action import Open
from schemas.app import Trial
from schemas.record import Record
from schemas.screen import Quality, State

ROUNDS = 2
"""Times that something is written and reset: what a process remembers may show only the second time."""


class Checkup(Record):
    """What was seen and measured."""

    app: str
    """Its name."""
    lang: str
    prepare_s: float
    """Seconds until it ran for the first time: what was missing was installed, set up and seeded."""
    start_s: float
    """Seconds until it ran when all of that was there."""
    reset_s: float
    """Seconds until its data were back, the longest of all resets."""
    memory: int
    """Bytes that its processes held afterwards."""
    words: tuple[str, ...]
    """Labels of the controls at its entry, in order."""
    wrote: bool
    """Whether something was written that the reset could take away."""


def examine(host: Host, keep: Callable[[bytes], object]) -> Checkup:
    """Try an App that is not running; it is stopped afterwards. ``keep`` is given a picture of its entry.

    Raises:
        HostError: what is wrong with it, in one sentence.
        DriverError: it could not be looked at, or its trial could not be done.
    """
    prepare_s = _seconds(host.start)
    try:
        host.stop()
        start_s = _seconds(host.start)
        first = _entry(host, keep)
        resets = [_round(host, first) for _ in range(ROUNDS)]
        return Checkup(
            app=host.app.name,
            lang=host.lang,
            prepare_s=prepare_s,
            start_s=start_s,
            reset_s=max(resets),
            memory=host.memory,
            words=tuple(element.label for element in first.elements if element.clickable and element.label),
            wrote=host.app.trial is not None,
        )
    finally:
        host.stop()


def _round(host: Host, first: State) -> float:
    """Write, reset, and see that everything is as at first; the seconds of the reset."""
    app, trial = host.app, host.app.trial
    place = _write(host, trial) if trial else ""
    seconds = _seconds(host.restore)
    with closing(host.driver()) as driver:
        if driver.observe().id != first.id:
            raise HostError(f"{app.title}: its entry is not the same after a reset; see what it remembers.")
        if trial and _shows(driver, place, trial.shows):
            raise HostError(f"{app.title}: a reset does not take back what its trial wrote; set restart.")
    return seconds


def _write(host: Host, trial: Trial) -> str:
    """Do the trial; the address of the screen that shows what it wrote."""
    app = host.app
    with closing(host.driver()) as driver:
        for step in trial.steps:
            try:
                driver.perform(action_of(step))
            except DriverError as error:
                raise HostError(
                    f"{app.title}: step {step.do} {step.at} of its trial failed: {error}"
                ) from error
        place = driver.observe().address
        if not _shows(driver, place, trial.shows):
            raise HostError(f"{app.title}: {trial.shows!r} of its trial does not show on {place}.")
    return place


def _shows(driver: Driver, place: str, text: str) -> bool:
    driver.perform(Open(address=place))
    return any(text in line for line in driver.observe().texts())


def _entry(host: Host, keep: Callable[[bytes], object]) -> State:
    with closing(host.driver()) as driver:
        state = driver.observe()
        keep(driver.screenshot())
    if state.quality is Quality.ERROR or not state.elements:
        raise HostError(f"{host.app.title}: its entry answers {state.status} and shows nothing to use.")
    return state


def _seconds(work: Callable[[], None]) -> float:
    begun = time.monotonic()
    work()
    return time.monotonic() - begun

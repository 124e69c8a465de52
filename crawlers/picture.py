"""A State with its picture: the one that shows what the State says, or a State that admits it does not."""

from __future__ import annotations

from crawlers.driver import Driver, ImageSink
from schemas.screen import Box, Quality, State

TRIES = 3
"""Pictures taken of a screen that keeps changing."""


def pictured(driver: Driver, state: State, images: ImageSink) -> State:
    """The State as it was when its picture was taken: it is read again afterwards, and where it is not the
    same any more, what was read last is pictured instead. One that never stands still is UNSETTLED.

    Raises:
        DriverError: the screen cannot be read.
    """
    for _ in range(TRIES):
        png = driver.screenshot()
        after = driver.observe()
        if (after.id, _places(after)) == (state.id, _places(state)):
            return state.model_copy(update={"image": images(png)})
        state = after
    return state.model_copy(update={"image": images(png), "quality": Quality.UNSETTLED})


def _places(state: State) -> list[tuple[str, Box | None]]:
    return [(element.key, element.box) for element in state.elements]

"""Pixels: boxes and gestures are those of the stored image, whatever its density and the page's direction."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from crawlers.web import browser
from schemas.action import Click, Target
from schemas.screen import Box

pytestmark = pytest.mark.slow

RED, BLUE = (255, 0, 0), (0, 0, 255)


def coloured(image: Image.Image, colour: tuple[int, int, int]) -> Box:
    """The rectangle that has a colour."""
    rows, columns = np.nonzero((np.asarray(image) == colour).all(axis=2))
    return Box(x1=columns.min(), y1=rows.min(), x2=columns.max() + 1, y2=rows.max() + 1)


@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0, 2.5, 3.0])
def test_p22_boxes_are_pixels_of_the_image_at_every_density(stage: Any, scale: float) -> None:
    app = stage.app.model_copy(update={"entry": "/pixels.html"})
    driver = browser.session(app=app, lang="en", origin=stage.server.origin, scale=scale)
    try:
        state = driver.observe()
        hit = stage.at(state, "Hit")
        image = Image.open(io.BytesIO(driver.screenshot())).convert("RGB")
        assert image.size == (state.width, state.height) == (1280 * scale, 800 * scale)
        assert coloured(image, RED) == hit.box
        gesture = driver.perform(Click(target=Target.of(hit))).gesture
        assert gesture.hit
        assert image.getpixel((gesture.x, gesture.y)) == RED
        assert "hit" in driver.observe().texts()
    finally:
        driver.close()


def test_right_to_left_pages_have_true_boxes_and_whole_text(stage: Any) -> None:
    state = stage.go("/rtl.html")
    add = stage.at(state, "أضف 3 عناصر")
    assert coloured(stage.picture(), BLUE) == add.box
    assert stage.at(state, "می\u200cخواهم").editable, "joiners are kept"
    stage.click(add)
    assert stage.at(stage.see(), "می\u200cخواهم").value == "تم 5"

"""New tabs: what goes on there belongs to the same episode."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from schemas.action import Click, Target
from schemas.effect import Outcome

pytestmark = pytest.mark.slow


def test_p20_an_episode_goes_on_in_the_new_tab(stage: Any) -> None:
    opener = Click(target=Target.of(stage.at(stage.go("/windows.html"), "Open the goal")))
    stage.driver.perform(opener)
    reach = Click(target=Target.of(stage.at(stage.see(), "Reach")))
    done = stage.replay("/windows.html", opener, reach)
    assert done.steps[0].effect.outcome is Outcome.NEW_WINDOW
    assert (done.end, done.last.title) == ("finished", "New tab")
    assert "Reached" in done.last.texts()
    picture = Image.open(io.BytesIO(stage.images[done.last.image])).convert("RGB")
    assert picture.getpixel((1000, 700)) == (0, 170, 0)


def test_p20_the_crawl_goes_on_there_too(stage: Any) -> None:
    graph = stage.explore("/windows.html", actions=4)
    states = graph.by_id()
    opened, reached = graph.transitions[:2]
    assert (opened.effect.outcome, reached.effect.outcome) == (Outcome.NEW_WINDOW, Outcome.CHANGED)
    assert states[reached.source].title == "New tab"

"""What stands before a page on a first visit: banners that ask for consent, and others that numb it."""

from __future__ import annotations

from typing import Any

import pytest

from crawlers.offers import offers
from crawlers.web import browser
from schemas.action import Click, Target
from schemas.effect import Outcome
from schemas.graph import Untried
from schemas.screen import Quality

pytestmark = pytest.mark.slow


def test_p05_a_banner_in_a_closed_shadow_tree_is_answered(stage: Any) -> None:
    state = stage.go("/consent.html?banner=closed")
    assert (stage.labels(state), state.quality) == ({"A story", "Next"}, Quality.OK)
    assert not stage.at(state, "Next").occluded
    stage.press("Next")
    assert stage.see().title == "Plain"


def test_p05_a_banner_that_cannot_be_rejected_stays_and_is_told(stage: Any) -> None:
    state = stage.go("/consent.html?banner=wall")
    assert stage.labels(state) == {"A story", "Next"}, "the banner is no part of the App"
    assert stage.at(state, "Next").occluded
    assert state.quality is Quality.PARTIAL
    (left,) = offers(state, stage.app)
    assert isinstance(left, Untried)
    assert (left.label, left.reason) == ("Next", "covered")


@pytest.mark.parametrize("banner", ["open", "closed", "late"])
def test_p06_with_and_without_a_banner_it_is_the_same_state(stage: Any, banner: str) -> None:
    plain = stage.go("/consent.html")
    assert stage.go(f"/consent.html?banner={banner}").id == plain.id
    assert stage.picture().getpixel((640, 790)) == (255, 255, 255)
    labels = {
        edge.action.target.label for edge in stage.explore(f"/consent.html?banner={banner}", 4).transitions
    }
    assert labels == {"Next"}


@pytest.mark.parametrize("consent, choice", [("reject", "no"), ("accept", "yes")])
def test_p06_the_answer_is_chosen_in_the_recipe(stage: Any, consent: str, choice: str) -> None:
    app = stage.app.model_copy(update={"consent": consent, "entry": "/consent.html?banner=open"})
    driver = browser.session(app=app, lang="en", origin=stage.server.origin)
    try:
        driver.observe()
        assert {"name": "choice", "value": choice} in driver.storage_state()["origins"][0]["localStorage"]
    finally:
        driver.close()


def test_p06_banners_are_known_in_other_languages(stage: Any) -> None:
    state = stage.go("/consent-zh.html")
    assert stage.labels(state) == {"一个故事", "下一页"}
    assert stage.driver.storage_state()["origins"][0]["localStorage"] == [{"name": "choice", "value": "no"}]


def test_p06_a_dialog_of_the_app_is_no_banner(stage: Any) -> None:
    assert {"Add your cookie recipe", "Accept", "Close"} <= stage.labels(stage.go("/recipe.html"))


def test_p07_a_page_that_takes_no_clicks_is_blocked_and_not_without_functions(stage: Any) -> None:
    state = stage.go("/numb.html")
    saved = stage.at(state, "Save")
    assert (saved.enabled, saved.occluded) == (True, True)
    reasons = {each.label: each.reason for each in offers(state, stage.app) if isinstance(each, Untried)}
    assert reasons == dict.fromkeys(("Next", "Save", "Switched off"), "covered")
    (step, _) = stage.replay("/numb.html", Click(target=Target.of(saved))).steps
    assert (step.status, step.effect.outcome) == ("blocked", Outcome.BLOCKED)
    assert "takes no pointer" in step.error
    stage.press("Not now")
    assert not stage.at(stage.see(), "Switched off").enabled, "that link alone takes no pointer"
    stage.press("Next")
    assert stage.see().title == "Plain"

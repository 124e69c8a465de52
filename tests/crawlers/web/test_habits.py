"""What a page asks on its own is no doing of whoever opened it; in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from crawlers.effects import read
from crawlers.forms import fill, forms_of
from crawlers.web import browser
from crawlers.web.driver import WebDriver
from crawlers.web.habits import Habits
from schemas.action import Action, Click, Open, Target, Wait
from schemas.app import App, Locale, Platform
from schemas.effect import WRITES, Effect
from schemas.screen import State

pytestmark = pytest.mark.slow

APP = App(
    name="pages",
    title="Pages",
    platform=Platform.WEB,
    licence="Apache-2.0",
    static="pages",
    entry="/plain.html",
    locale=Locale(via="header", codes={"en": "en"}),
)
PRESENCE = "POST /api/presence"


@pytest.fixture
def driver(some_browser: Path, site: str) -> Iterator[WebDriver]:
    assert some_browser
    driver = browser.session(app=APP, lang="en", origin=site)
    driver.perform(Open(address="/habits.html"))
    yield driver
    driver.close()
    browser.close()


def press(state: State, label: str) -> Click:
    return Click(target=Target.of(next(each for each in state.elements if each.label == label)))


def done(driver: WebDriver, action: Action) -> Effect:
    before = driver.observe()
    evidence = driver.perform(action)
    return read(before, action, driver.observe(), evidence)


def written(effect: Effect) -> list[str]:
    return [request.signature for request in effect.writes]


def asked(effect: Effect) -> list[str]:
    return [request.signature for request in effect.evidence.requests if request.method == "POST"]


@pytest.mark.parametrize("link", ["Again", "New window"])
def test_following_a_link_to_a_page_that_reports_itself_writes_nothing(driver: WebDriver, link: str) -> None:
    effect = done(driver, press(driver.observe(), link))
    assert PRESENCE in asked(effect)
    assert written(effect) == []
    assert not WRITES & set(effect.classes)


def test_nor_does_staying_on_it(driver: WebDriver) -> None:
    effect = done(driver, Wait(ms=700))
    assert PRESENCE in asked(effect)
    assert written(effect) == []


def test_what_is_asked_at_the_same_place_because_of_an_action_is_a_write(driver: WebDriver) -> None:
    effect = done(driver, press(driver.observe(), "Save"))
    assert written(effect) == [PRESENCE]
    assert effect.writes[0].fields == (("what", "saved"),)


def test_so_is_what_is_asked_after_the_address_alone_changed(driver: WebDriver) -> None:
    assert written(done(driver, press(driver.observe(), "Shift"))) == ["POST /api/shift"]


def test_a_form_that_leads_to_another_page_is_the_write_and_nothing_else_is(driver: WebDriver) -> None:
    form = forms_of(driver.observe())[0]
    effect = done(driver, fill(form, {"title": "New"}, form.submits[0]))
    assert written(effect) == ["POST /send"]


@dataclass(frozen=True)
class Asked:
    """As much of a request as Habits look at."""

    frame: object = "frame"
    document: bool = False
    resource_type: str = "fetch"
    method: str = "POST"
    url: str = "/draft"
    post_data_buffer: bytes = b""

    def is_navigation_request(self) -> bool:
        return self.document


@dataclass(frozen=True)
class Window:
    """As much of a window."""

    main_frame: object = "frame"
    tell: dict[str, Any] = field(default_factory=dict)

    def on(self, event: str, told: object) -> None:
        self.tell[event] = told


def test_the_last_words_of_the_page_before_are_no_habit_nor_what_is_not_shown_yet() -> None:
    habits: Any = Habits()
    window = Window()
    habits.opened(window)
    assert habits.is_one(Asked())
    habits.step()
    assert not habits.is_one(Asked(document=True, method="GET"))
    assert not habits.is_one(Asked(url="/late"))
    window.tell["framenavigated"]("frame")
    assert not habits.is_one(Asked(resource_type="ping"))
    assert habits.is_one(Asked(url="/seen"))
    habits.step()
    window.tell["framenavigated"]("frame")  # a script changed the address
    assert [habits.is_one(Asked(url=url)) for url in ("/seen", "/other", "/draft")] == [True, False, False]
    habits.forget()
    assert not habits.is_one(Asked(url="/seen"))

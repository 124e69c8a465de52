"""The web Driver on small pages, in a real browser."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import psutil
import pytest
from PIL import Image

from crawlers.driver import DriverError
from crawlers.forms import fill, forms_of
from crawlers.steps import action_of
from crawlers.web import browser
from crawlers.web.driver import WebDriver
from schemas.action import (
    Back,
    Check,
    Click,
    Hover,
    Open,
    Press,
    Respond,
    Scroll,
    Select,
    Target,
    Type,
    Upload,
    Wait,
)
from schemas.app import App, Locale, Platform, Step
from schemas.screen import Element, Quality, State

pytestmark = pytest.mark.slow

APP = App(
    name="pages",
    title="Pages",
    platform=Platform.WEB,
    licence="Apache-2.0",
    static="pages",
    entry="/plain.html",
    locale=Locale(via="header", codes={"en": "en", "zh-Hans": "zh-CN"}),
    secrets={"code": "open-sesame"},
)


@pytest.fixture(scope="module", autouse=True)
def _browser(some_browser: Path) -> Iterator[None]:
    assert some_browser
    yield
    browser.close()


@pytest.fixture
def driver(site: str) -> Iterator[WebDriver]:
    driver = browser.session(app=APP, lang="en", origin=site)
    yield driver
    driver.close()


@contextmanager
def page(driver: WebDriver, name: str) -> Iterator[State]:
    driver.perform(Open(address=f"/{name}.html"))
    yield driver.observe()


def at(state: State, label: str, role: str = "") -> Element:
    return next(e for e in state.elements if e.label == label and (not role or e.role == role))


def to(state: State, label: str, role: str = "") -> Target:
    return Target.of(at(state, label, role))


def said(driver: WebDriver) -> str:
    return "\n".join(driver.observe().texts())


def test_starts_at_the_entry_and_reads_the_page(driver: WebDriver) -> None:
    state = driver.observe()
    assert (state.route, state.title, state.status) == ("/plain.html", "Plain", 200)
    assert state.texts() == ("Plain page", "Some bold words.", "Close")
    assert state.quality is Quality.OK


def test_types_selects_checks_and_uploads(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        driver.perform(Type(target=to(state, "Name"), text="Grace"))
        driver.perform(Type(target=to(state, "Notes"), text="一行\ntwo", clear_before=False))
        driver.perform(Type(target=to(state, "Born"), text="2027-01-05"))
        driver.perform(Type(target=to(state, "Age"), text="42"))
        driver.perform(Select(target=to(state, "Colour"), value="g", label="Green"))
        driver.perform(Check(target=to(state, "Large"), checked=True))
        driver.perform(Check(target=to(state, "I agree"), checked=True))
        driver.perform(Check(target=to(state, "I agree"), checked=True))
        driver.perform(Upload(target=to(state, "Choose a photo"), asset="photo.txt", content="hello"))
        after = driver.observe()
    assert [at(after, label).value for label in ("Name", "Notes", "Born", "Age", "Colour")] == [
        "Grace",
        "一行\ntwo",
        "2027-01-05",
        "42",
        "g",
    ]
    assert [at(after, label).checked for label in ("Small", "Large", "I agree")] == [False, True, True]
    evidence = driver.perform(Click(target=to(after, "Save")))
    assert [(r.method, r.path, r.status) for r in evidence.requests] == [
        ("POST", "/save", 302),
        ("GET", "/plain.html", 200),
    ]
    fields = dict(evidence.requests[0].fields)
    assert fields["name"] == "Grace"
    assert fields["csrf_token"] == "***"
    assert evidence.requests[0].query == (("token", "***"),)


def test_a_secret_is_typed_and_never_shown(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        driver.perform(Type(target=to(state, "Password"), text="{secret:code}"))
        driver.perform(Type(target=to(state, "Name"), text="{secret:code}"))
        after = driver.observe()
        assert (at(after, "Password").value, at(after, "Name").value) == ("", "***")
        evidence = driver.perform(Click(target=to(after, "Save")))
    assert "open-sesame" not in evidence.model_dump_json()
    with page(driver, "widgets") as state, pytest.raises(DriverError, match="no secret called other"):
        driver.perform(Type(target=to(state, "Name"), text="{secret:other}"))


def test_text_that_a_field_does_not_take_is_blocked(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        with pytest.raises(DriverError, match="did not take") as caught:
            driver.perform(Type(target=to(state, "Name"), text="x" * 30))
        assert caught.value.kind == "blocked"


def test_submits_a_form_as_one_action(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        form = next(form for form in forms_of(state) if "colour" in form.names)
        action = fill(form, {"name": "Ada", "colour": "g", "size": "large", "terms": "true"}, form.submits[0])
        evidence = driver.perform(action)
    fields = dict(evidence.requests[0].fields)
    assert (fields["colour"], fields["size"], fields["terms"]) == ("g", "large", "on")
    assert driver.observe().title == "Plain"


def test_loose_fields_belong_to_the_container_of_their_button(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        form = next(form for form in forms_of(state) if form.key.endswith("#quick"))
        assert [field.placeholder for field in form.fields] == ["Add a thing"]
        driver.perform(fill(form, {form.names[0]: "Tea"}, form.submits[0]))
    assert "added Tea" in said(driver)


def test_a_text_above_the_group_with_the_button_is_sent_with_it(driver: WebDriver) -> None:
    with page(driver, "comment") as state:
        named = {form.key: [each.label for each in form.fields] for form in forms_of(state)}
        assert sorted(named.values()) == [["Add"], ["Change"], ["Comment", "Name"], ["Rename"], ["Search"]]
        form = next(form for form in forms_of(state) if len(form.fields) == 2)
        values = dict(zip(form.names, ("Well said", "Ada"), strict=True))
        driver.perform(fill(form, values, form.submits[0]))
        assert any("Well said by Ada" in each.text for each in driver.observe().elements)


def test_finds_what_is_clickable_without_saying_so(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        labels = {e.label for e in state.elements if e.clickable}
        assert {"Made of a div", "Pointer card", "Hidden from readers", "Chart"} <= labels
        assert "bold" not in labels
        driver.perform(Click(target=to(state, "Made of a div")))
        assert "div pressed" in said(driver)
        driver.perform(Click(target=to(state, "Hidden from readers")))
        assert "ghost pressed" in said(driver)


def test_a_body_without_a_height_hides_nothing(driver: WebDriver) -> None:
    with page(driver, "spread") as state:
        assert [each.label for each in state.elements if each.clickable and each.visible] == ["One", "Two"]


def test_twins_with_one_id_are_told_apart(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        driver.perform(Select(target=to(state, "Second"), value="2", label="2"))
        after = driver.observe()
    assert (at(after, "First").value, at(after, "Second").value) == ("1", "2")


def test_rows_share_a_template_and_keep_their_place(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        edits = [e for e in state.elements if e.name == "Edit"]
    assert len({e.template for e in edits}) == 1
    assert len({e.key for e in edits}) == 2
    assert [e.item for e in edits] == ["Apple", "Pear"]


def test_a_control_that_shows_on_hover_can_be_pressed(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        drops = [e for e in state.elements if e.name == "Drop"]
        assert [e.visible for e in drops] == [False, False]
        driver.perform(
            Hover(target=Target.of(next(e for e in state.elements if e.role == "row" and e.item == "Pear")))
        )
        assert [e.visible for e in driver.observe().elements if e.name == "Drop"] == [False, True]
        driver.perform(Click(target=Target.of(drops[0])))
    assert "dropped 0" in said(driver)


def test_a_control_that_is_laid_out_on_hover_can_be_pressed(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        stars = [e for e in state.elements if e.name == "Star"]
        assert [(e.visible, e.clickable, e.item) for e in stars] == [
            (False, True, "Apple"),
            (False, True, "Pear"),
        ]
        driver.perform(Click(target=Target.of(stars[1])))
    assert "starred 1" in said(driver)


def test_shadow_trees_and_frames_are_read_and_used(driver: WebDriver) -> None:
    with page(driver, "shadow") as state:
        orders = [e for e in state.elements if e.name == "Order now"]
        assert len({e.key for e in orders}) == 2
        assert at(state, "Accept all").clickable
        inner = at(state, "Press me")
        frame = next(e for e in state.elements if e.role == "iframe")
        assert inner.frame
        assert inner.box is not None
        assert frame.box is not None
        assert frame.box.holds(*inner.box.centre)
        assert at(state, "Sealed").frame
        assert state.quality is Quality.OK
        driver.perform(Click(target=Target.of(orders[1])))
        assert "ordered 1" in said(driver)
        driver.perform(Click(target=Target.of(inner)))
        assert "pressed" in said(driver)


def test_framesets_are_read(driver: WebDriver) -> None:
    with page(driver, "frameset") as state:
        assert {"Plain page", "Delete"} <= {e.label for e in state.elements}


def test_pages_that_break_the_dom_are_read(driver: WebDriver) -> None:
    with page(driver, "hostile") as state:
        assert [e.label for e in state.elements if e.editable] == ["Id", "Children", "Tag"]
        driver.perform(Type(target=to(state, "Id"), text="7"))
        evidence = driver.perform(Click(target=to(state, "Send")))
    assert evidence.requests[0].fields == (("id", "7"), ("children", ""), ("tagName", ""))


@pytest.mark.parametrize(
    "name, quality",
    [("canvas", Quality.TREE_MISSING), ("blank", Quality.BLANK), ("wall", Quality.WALL)],
)
def test_pages_that_cannot_be_trusted_say_so(driver: WebDriver, name: str, quality: Quality) -> None:
    with page(driver, name) as state:
        assert state.quality is quality


def test_error_pages_are_states(driver: WebDriver) -> None:
    driver.perform(Open(address="/missing"))
    state = driver.observe()
    assert (state.quality, state.status) == (Quality.ERROR, 404)


def test_confirm_waits_for_an_answer(driver: WebDriver) -> None:
    with page(driver, "dialogs") as state:
        for accept, outcome in ((False, "kept"), (True, "deleted")):
            evidence = driver.perform(Click(target=to(state, "Delete")))
            assert evidence.dialog is not None
            assert (evidence.dialog.kind, evidence.dialog.message) == ("confirm", "Really delete?")
            asked = driver.observe()
            assert asked.dialog == evidence.dialog
            assert asked.structure != state.structure
            assert [e.key for e in asked.elements] == [e.key for e in state.elements]
            with pytest.raises(DriverError, match="answer it with Respond"):
                driver.perform(Click(target=to(state, "Tell")))
            assert driver.screenshot().startswith(b"\x89PNG")
            driver.perform(Respond(accept=accept))
            assert outcome in said(driver)


def test_prompt_alert_and_beforeunload(driver: WebDriver) -> None:
    with page(driver, "dialogs") as state:
        asked = driver.perform(Click(target=to(state, "Rename"))).dialog
        assert asked is not None
        assert (asked.kind, asked.default) == ("prompt", "old")
        driver.perform(Respond(accept=True, text="new"))
        assert "named new" in said(driver)
        driver.perform(Click(target=to(state, "Tell")))
        driver.perform(Respond(accept=True))
        assert "told" in said(driver)
        driver.perform(Click(target=to(state, "Write")))
        leaving = driver.perform(Click(target=to(state, "Leave"))).dialog
        assert leaving is not None
        assert leaving.kind == "beforeunload"
        driver.perform(Respond(accept=False))
        assert driver.observe().title == "Dialogs"
        driver.perform(Click(target=to(state, "Leave")))
        driver.perform(Respond(accept=True))
    assert driver.observe().title == "Plain"


def test_a_page_may_greet_with_a_dialog(driver: WebDriver) -> None:
    asked = driver.perform(Open(address="/alert.html")).dialog
    assert asked is not None
    state = driver.observe()
    assert (state.route, state.dialog, state.elements) == ("/alert.html", asked, ())
    driver.perform(Respond(accept=True))
    assert "Welcomed" in said(driver)


def test_a_crashed_window_is_replaced_by_a_new_session(driver: WebDriver, site: str) -> None:
    main = next(
        process
        for process in psutil.Process().children(recursive=True)
        if not any(word.startswith("--type=") for word in process.cmdline()) and "chrom" in process.name()
    )
    main.kill()
    main.wait()
    with pytest.raises(DriverError) as caught:
        driver.observe()
    assert caught.value.kind == "crashed"
    again = browser.session(app=APP, lang="en", origin=site)
    assert again.observe().title == "Plain"
    again.close()


def test_a_server_that_is_gone_is_a_crash() -> None:
    with pytest.raises(DriverError, match="server does not answer") as caught:
        browser.session(app=APP, lang="en", origin="http://127.0.0.1:1").observe()
    assert caught.value.kind == "crashed"


def test_any_thread_and_any_loop_may_call(driver: WebDriver) -> None:
    async def inside() -> str:
        return driver.observe().title

    titles: list[str] = []
    thread = threading.Thread(target=lambda: titles.append(driver.observe().title))
    thread.start()
    thread.join()
    assert [*titles, asyncio.run(inside())] == ["Plain", "Plain"]


def test_nothing_outlives_a_process_that_is_killed(site: str) -> None:
    program = f"""
import time
from crawlers.web import browser
from schemas.app import App
app = App.model_validate_json({APP.model_dump_json()!r})
session = browser.session(app=app, lang="en", origin={site!r})
print("ready", flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        children = psutil.Process(process.pid).children(recursive=True)
        assert any("chrom" in child.name() for child in children)
        process.kill()
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive


@pytest.mark.parametrize(
    "label, reason",
    [("Under", "covers it"), ("Off", "disabled"), ("Numb", "pointer-events")],
)
def test_what_cannot_be_used_is_blocked(driver: WebDriver, label: str, reason: str) -> None:
    with page(driver, "blocked") as state, pytest.raises(DriverError, match=reason) as caught:
        driver.perform(Click(target=to(state, label)))
    assert caught.value.kind == "blocked"
    assert at(state, "Under").occluded


def test_what_is_not_there_is_missing(driver: WebDriver) -> None:
    with page(driver, "blocked") as state:
        target = to(state, "Gone")
        driver.perform(Open(address="/plain.html"))
        with pytest.raises(DriverError) as caught:
            driver.perform(Click(target=target))
    assert caught.value.kind == "target_missing"


def test_scrolls_to_what_is_far_down(driver: WebDriver) -> None:
    with page(driver, "blocked") as state:
        assert at(state, "Far down").box is None
        driver.perform(Scroll(reveal="down", pixels=4000))
        assert at(driver.observe(), "Far down").box is not None
        driver.perform(Scroll(reveal="up", pixels=4000))
        gesture = driver.perform(Click(target=to(state, "Far down"))).gesture
        assert gesture is not None
        assert gesture.hit
        assert 0 < gesture.y < state.height
    assert "reached" in said(driver)


def test_the_clock_stands_and_timers_run(driver: WebDriver) -> None:
    with page(driver, "clock") as state:
        assert "2027-02-01T09:00:00.000Z" in state.texts()
        assert "2020 true true string" in state.texts()
        driver.perform(Type(target=to(state, "Search"), text="tea"))
        assert "found tea" in said(driver)
        driver.perform(Click(target=to(state, "Later")))
        assert "later came" in said(driver)
        driver.perform(Click(target=to(state, "Slide")))
        assert "slid" in said(driver)
        assert "Panel text" in said(driver)


def test_two_pictures_of_one_screen_are_the_same(driver: WebDriver) -> None:
    with page(driver, "clock"):
        first = driver.screenshot()
        driver.perform(Wait(ms=150))
        assert driver.screenshot() == first
        driver.perform(Open(address="/clock.html"))
        assert driver.screenshot() == first


def test_a_page_that_never_rests_is_read_all_the_same(driver: WebDriver) -> None:
    with page(driver, "restless") as state:
        evidence = driver.perform(Click(target=to(state, "Go")))
        assert "created" in said(driver)
    post = next(request for request in evidence.requests if request.method == "POST")
    assert post.fields == (
        ("item.name", "Tea"),
        ("item.tags.0", "a"),
        ("item.tags.1", "b"),
        ("csrf", "***"),
    )
    assert post.status == 201


def test_slow_documents_are_waited_for(driver: WebDriver) -> None:
    driver.perform(Open(address="/slow"))
    assert driver.observe().title == "Slow"


def test_storage_writes_are_evidence(driver: WebDriver) -> None:
    with page(driver, "storage") as state:
        writes = driver.perform(Click(target=to(state, "Write"))).storage
        assert [(w.area, w.key, w.value, w.grown) for w in writes] == [
            ("local", "auth_token", "***", None),
            ("local", "todos", '[{"title":"Tea"}]', 1),
            ("session", "tab", "2", None),
        ]
        (wiped,) = driver.perform(Click(target=to(state, "Wipe"))).storage
        assert (wiped.key, wiped.removed, wiped.grown) == ("todos", True, -1)
        (indexed,) = driver.perform(Click(target=to(state, "Index"))).storage
        assert indexed.signature == "indexed notes/pages"


def test_new_windows_are_followed(driver: WebDriver) -> None:
    with page(driver, "links") as state:
        for label in ("Open a small one", "New window", "Open by script"):
            evidence = driver.perform(Click(target=to(state, label)))
            assert evidence.window_opened
            opened = driver.observe()
            assert opened.title == "Plain"
            assert (opened.width, opened.height) == (state.width, state.height), label
            assert Image.open(BytesIO(driver.screenshot())).size == (state.width, state.height), label
            driver.perform(Click(target=to(opened, "Close")))
            assert driver.observe().title == "Links"


@pytest.mark.parametrize("label", ["Outside", "Outside, new window", "Ping outside"])
def test_other_origins_are_refused(driver: WebDriver, label: str) -> None:
    with page(driver, "links") as state:
        evidence = driver.perform(Click(target=to(state, label)))
    assert evidence.blocked == ("http://example.invalid",)
    assert not evidence.window_opened
    assert driver.observe().route == "/links.html"
    with pytest.raises(DriverError, match="not an address of the App"):
        driver.perform(Open(address="http://example.invalid/"))


@pytest.mark.parametrize("label", ["Report", "Report, new window"])
def test_a_download_is_an_outcome(driver: WebDriver, label: str) -> None:
    with page(driver, "links") as state:
        evidence = driver.perform(Click(target=to(state, label)))
    (handed,) = evidence.downloads
    assert (handed.name, handed.route, handed.size) == ("report.csv", "/report.csv", 8)
    assert len(handed.sha256) == 64
    assert driver.observe().title == "Links"


def test_a_download_can_be_opened(driver: WebDriver) -> None:
    assert driver.perform(Open(address="/report.csv")).downloads
    assert driver.observe().title == "Plain"


def test_goes_back(driver: WebDriver) -> None:
    with pytest.raises(DriverError, match="nothing to go back to"):
        driver.perform(Back())
    with page(driver, "links"):
        driver.perform(Back())
    assert driver.observe().title == "Plain"


def test_keys_are_pressed(driver: WebDriver) -> None:
    with page(driver, "widgets") as state:
        driver.perform(Press(keys=("Control", "a"), target=to(state, "Name")))
        driver.perform(Press(keys=("Delete",)))
        assert at(driver.observe(), "Name").value == ""


@pytest.mark.parametrize("scale", [1.25, 2.0])
def test_boxes_are_pixels_of_the_image(site: str, scale: float) -> None:
    driver = browser.session(app=APP, lang="en", origin=site, scale=scale)
    try:
        with page(driver, "widgets") as state:
            evidence = driver.perform(Click(target=to(state, "Made of a div")))
            assert (state.width, state.height) == (1280 * scale, 800 * scale)
            assert _size(driver.screenshot()) == (state.width, state.height)
            box, gesture = at(state, "Made of a div").box, evidence.gesture
            assert box is not None
            assert gesture is not None
            assert box.holds(gesture.x, gesture.y)
    finally:
        driver.close()


def test_the_browser_asks_for_the_language(site: str) -> None:
    driver = browser.session(app=APP, lang="zh-Hans", origin=site)
    try:
        assert driver.observe().lang == "zh-Hans"
    finally:
        driver.close()


def test_a_login_carries_over_to_the_next_session(driver: WebDriver, site: str) -> None:
    for step in (Step(do="open", at="/storage.html"), Step(do="click", at="#write"), Step(do="open", at="")):
        driver.perform(action_of(step))
    assert driver.observe().route == "/plain.html"
    again = browser.session(app=APP, lang="en", origin=site, storage=driver.storage_state())
    try:
        with page(again, "storage") as state:
            (wiped,) = again.perform(Click(target=to(state, "Wipe"))).storage
            assert wiped.removed
    finally:
        again.close()


def test_a_session_that_is_used_again_has_no_past(site: str) -> None:
    kind = {"app": APP.model_copy(update={"name": "again"}), "lang": "en", "origin": site}
    first = browser.session(**kind)
    begun, empty = first.observe(), first.storage_state()
    with page(first, "storage") as state:
        written = first.perform(Click(target=to(state, "Write"))).storage
    assert {write.area for write in written} >= {"local", "session"}
    assert first.storage_state() != empty
    first.close()
    second = browser.session(**kind)
    try:
        assert second._session is first._session
        assert second.observe().id == begun.id
        assert second.storage_state() == empty
        with pytest.raises(DriverError, match="nothing to go back to"):
            second.perform(Back())
        with page(second, "storage") as state:
            once_more = second.perform(Click(target=to(state, "Write"))).storage
        assert once_more == written
    finally:
        second.close()


def _size(png: bytes) -> tuple[int, int]:
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])

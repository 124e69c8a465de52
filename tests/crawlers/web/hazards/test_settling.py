"""When is a page ready, and does its picture show what was read?"""

from __future__ import annotations

import base64
import hashlib
import io
import time
from typing import Any

import pytest
from PIL import Image

from crawlers.driver import DriverError
from crawlers.picture import pictured
from crawlers.web import session, settle, sight, snapshot
from crawlers.web.recorder import Recorder
from schemas.action import Open, Target, Type, Wait
from schemas.effect import EffectClass, Outcome
from schemas.screen import Quality

pytestmark = pytest.mark.slow

RED = (255, 0, 0)


def test_p12_an_address_that_changes_alone_is_no_change(stage: Any) -> None:
    graph = stage.explore("/hash.html", actions=5)
    ends = {edge.action.target.label: edge.effect for edge in graph.transitions if edge.source == graph.root}
    assert (ends["List"].outcome, ends["List"].main) == (Outcome.NAVIGATED, EffectClass.FILTER)
    assert (ends["Broken"].outcome, ends["Broken"].main) == (Outcome.UNCHANGED, EffectClass.NONE)
    assert len(graph.states) == 2
    (push,) = stage.explore("/push.html", actions=5).transitions
    assert (push.source, push.effect.outcome) == (push.target, Outcome.UNCHANGED)


def test_p13_late_data_is_waited_for(stage: Any) -> None:
    stage.server.answers["/a-data"] = lambda _: time.sleep(0.6) or stage.html("This is A")
    stage.go("/late.html")
    assert stage.press("A").settled
    assert (stage.see().route, stage.said()) == ("/late.html#/a", "A\nB\nThis is A")
    stage.press("B")
    assert (stage.see().route, stage.said()) == ("/late.html#/b", "A\nB\nThis is B")


def test_p13_data_that_does_not_come_in_time_is_told(stage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "CAP_S", 0.3)
    stage.server.answers["/a-data"] = lambda _: time.sleep(1.0) or stage.html("This is A")
    stage.go("/late.html")
    assert not stage.press("A").settled
    assert (stage.see().quality, stage.said()) == (Quality.UNSETTLED, "A\nB\nLoading")
    stage.press("B")
    b = stage.see()
    assert (b.route, b.texts()[-1], b.quality) == ("/late.html#/b", "This is B", Quality.UNSETTLED)
    stage.driver.perform(Wait(ms=900))
    # The App's own race: B's address with A's data. It was announced, and is another State.
    assert stage.see().id != b.id


def socket(request: Any) -> None:
    """A websocket that says one thing and stays open."""
    key = request.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()  # noqa: S324 - the protocol's hash
    request.send_response(101)
    for name, value in (
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Accept", accept),
    ):
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(b"\x81\x07welcome")
    request.close_connection = True
    request.rfile.read(1)


def test_p14_a_page_that_never_rests_is_one_state(stage: Any) -> None:
    stage.server.answers["/socket"] = socket
    first = stage.go("/ticking.html")
    assert first.quality is Quality.OK
    assert next(element for element in first.elements if "rounds" in element.text).live
    assert "welcome" in first.texts()
    stage.driver.perform(Wait(ms=2100))
    later = stage.see()
    assert later.texts() != first.texts(), "it ticks"
    assert later.id == first.id
    evidence = stage.press("Go")
    assert evidence.settled
    assert "gone" in stage.said()


def test_p14_the_time_it_took_is_recorded(stage: Any) -> None:
    stage.server.answers["/socket"] = socket
    done = stage.replay("/ticking.html", Wait(ms=50))
    assert 50 <= done.steps[0].ms < 1000 * settle.CAP_S


def test_p15_a_picture_shows_what_was_read(stage: Any) -> None:
    state = stage.go("/shifting.html")
    shots = 0

    class Shifting:
        """A driver whose page moves between reading and picture, once."""

        def screenshot(self) -> bytes:
            nonlocal shots
            shots += 1
            if shots == 1:
                run_in_page(stage, "shift()")
            return stage.driver.screenshot()

        observe = stage.driver.observe

    kept = pictured(Shifting(), state, stage.keep)
    assert (shots, kept.quality) == (2, Quality.OK)
    moved = stage.at(kept, "Move")
    assert moved.box.y1 == stage.at(state, "Move").box.y1 + 200
    image = Image.open(io.BytesIO(stage.images[kept.image])).convert("RGB")
    assert image.getpixel(moved.box.centre) == RED
    assert image.getpixel(stage.at(state, "Move").box.centre) != RED


def test_p15_a_page_that_is_never_as_pictured_is_flagged(stage: Any) -> None:
    state = stage.go("/shifting.html")

    class Running:
        """A driver whose page moves before every picture."""

        def screenshot(self) -> bytes:
            run_in_page(stage, "t.style.left = `${t.offsetLeft + 5}px`")
            return stage.driver.screenshot()

        observe = stage.driver.observe

    assert pictured(Running(), state, stage.keep).quality is Quality.UNSETTLED


def test_p15_pictures_taken_right_after_an_action_are_those_of_rest(stage: Any) -> None:
    for _ in range(2):
        stage.driver.perform(Open(address="/ring.html"))
        state = stage.see()
        for name in ("One", "Two", "Three"):
            stage.click(stage.at(state, name))
            at_once = stage.driver.screenshot()
            stage.driver.perform(Wait(ms=150))
            assert stage.driver.screenshot() == at_once, f"a ring around {name} or what follows it came later"


def test_p15_what_follows_the_end_of_a_transition_is_waited_for(stage: Any) -> None:
    stage.go("/ring.html")
    # In one task of the page, so that nothing but settling gives it the time.
    moved = run_in_page(
        stage,
        """(async () => {
          document.querySelector("input").focus();
          await window[Symbol.for("groundsmith")].settle(0, 3000);
          return `${moved.style.transform} ${document.getAnimations().length}`;
        })()""",
    )
    assert moved == "translateX(300px) 0"


def test_p15_typing_pictures_no_caret(stage: Any) -> None:
    state = stage.go("/ring.html")
    stage.driver.perform(Type(target=Target.of(stage.at(state, "One")), text="tea"))
    first = stage.driver.screenshot()
    stage.driver.perform(Wait(ms=600))
    assert stage.driver.screenshot() == first


def run_in_page(stage: Any, script: str) -> str:
    tab = stage.driver._session._windows.top
    said: str = stage.driver._browser.run(tab.call(script))
    return said


def test_p15_a_page_that_has_not_changed_is_read_once(stage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    state = stage.go("/ring.html")
    read: list[object] = []
    monkeypatch.setattr(sight, "read", lambda *given: read.append(given) or snapshot.read(*given))
    assert pictured(stage.driver, state, stage.keep).id == state.id
    assert read == []
    run_in_page(stage, "document.querySelector('input').remove(), ''")
    assert stage.see().id != state.id
    assert len(read) == 1


def test_p15_what_changes_without_a_mutation_is_read_again(stage: Any) -> None:
    before = stage.go("/ring.html")
    assert stage.see() == before
    run_in_page(stage, "document.querySelector('input').value = 'tea'")
    assert "tea" in {element.value for element in stage.see().elements}
    run_in_page(stage, "document.body.style.height = '3000px', scrollTo(0, 100), ''")
    assert stage.see().elements[0].box != before.elements[0].box


def test_a_document_that_does_not_come_is_a_timeout(stage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.go("/plain.html")
    monkeypatch.setattr(session, "LOAD_S", 0.3)
    stage.server.answers["/never"] = lambda _: time.sleep(3.0) or stage.html("Never mind")
    with pytest.raises(DriverError, match="did not load") as caught:
        stage.driver.perform(Open(address="/never"))
    assert caught.value.kind == "timeout"


def test_a_link_that_a_script_took_is_not_waited_for(stage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Recorder.start
    waited: list[bool] = []

    async def start(self: Recorder) -> bool:
        waited.append(True)
        return await real(self)

    monkeypatch.setattr(Recorder, "start", start)
    stage.go("/taken.html")
    stage.press("Taken")
    assert "taken" in stage.said()
    assert not waited
    stage.press("Kept")
    assert stage.see().address == "/plain.html"
    assert waited


def test_a_page_whose_parts_keep_coming_is_waited_for(stage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "CAP_S", 0.5)
    parts = range(4)
    for part in parts:
        stage.server.answers[f"/part-{part}.js"] = lambda _, part=part: (
            time.sleep(0.3) or stage.html(f"words.textContent += ' {part}'")
        )
    scripts = "".join(
        f"<script>document.write('<script src=/part-{part}.js><\\/script>')</script>" for part in parts
    )
    stage.server.answers["/parts"] = lambda _: stage.html(f"<p id=words>Parts</p>{scripts}")
    assert stage.go("/parts").quality is Quality.OK
    assert stage.said() == "Parts 0 1 2 3"


def test_a_page_one_part_of_which_hangs_is_not(stage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "CAP_S", 0.5)
    monkeypatch.setattr(settle, "STALL_S", 0.2)
    stage.server.answers["/hangs.png"] = lambda _: time.sleep(4.0) or stage.html("")
    stage.server.answers["/hanging"] = lambda _: stage.html("<p>Here</p><img src=/hangs.png>")
    begun = time.monotonic()
    assert stage.go("/hanging").quality is Quality.UNSETTLED
    assert time.monotonic() - begun < 3.0
    assert "Here" in stage.said()


def test_what_a_page_shows_a_second_after_it_came_up_is_waited_for(stage: Any) -> None:
    stage.server.answers["/second"] = lambda _: stage.html(
        "<p id=tip></p><button onclick=\"setTimeout(() => (tip.textContent = 'Later'), 900)\">Go</button>"
        "<script>setTimeout(() => (tip.textContent = 'Tip'), 900)</script>"
    )
    stage.go("/second")
    assert "Tip" in stage.said()
    stage.press("Go")
    assert "Later" not in stage.said(), "what an action sets off is waited for half as long"

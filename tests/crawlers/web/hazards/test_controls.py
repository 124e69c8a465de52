"""Controls that are not what they look like: native selects, hidden file fields, ghosts and twins."""

from __future__ import annotations

from typing import Any

import pytest

from crawlers.forms import expand, fill, forms_of
from crawlers.offers import offers
from crawlers.web import browser
from schemas.action import Click, Select, Target, Type, Upload, target_of
from schemas.graph import Untried

pytestmark = pytest.mark.slow


def test_p16_options_of_a_native_select_are_chosen_and_never_clicked(stage: Any) -> None:
    state = stage.go("/controls.html")
    size = stage.at(state, "Size", "combobox")
    assert [option.value for option in size.options] == ["s", "m", "l", "x", "h"]
    assert not [element for element in state.elements if element.role == "option"]
    made = [
        part
        for each in offers(state, stage.app)
        if not isinstance(each, Untried)
        for part in expand(each.action)
    ]
    mine = [action for action in made if (target := target_of(action)) and target.key == size.key]
    assert {(action.kind, action.value) for action in mine} == {("select", "m")}
    before = stage.picture()
    gesture = stage.driver.perform(Select(target=Target.of(size), value="l", label="Large")).gesture
    assert gesture.box == size.box
    assert "size l" in stage.said()
    below = (size.box.x1, size.box.y2 + 2, size.box.x2, size.box.y2 + 60)
    assert stage.picture().crop(below).tobytes() == before.crop(below).tobytes(), "no list was drawn"


def test_p17_a_file_field_that_is_not_drawn_is_found_by_its_label(stage: Any) -> None:
    state = stage.go("/controls.html")
    photo = stage.at(state, "Choose a photo", "button")
    assert (photo.kind, photo.clickable, photo.editable, photo.visible) == ("file", False, True, True)
    assert photo.box is not None, "where the label is"
    made = [
        part
        for each in offers(state, stage.app)
        if not isinstance(each, Untried)
        for part in expand(each.action)
    ]
    assert {action.kind for action in made if (at := target_of(action)) and at.key == photo.key} == {"upload"}
    stage.driver.perform(Upload(target=Target.of(photo), asset="cat.txt", content="meow"))
    assert "picked cat.txt" in stage.said()
    received = []
    stage.server.answers["/keep"] = lambda request: received.append(request.body) or stage.html("Kept")
    stage.press("Send")
    assert b'filename="cat.txt"' in received[0]
    assert b"meow" in received[0]


def test_p17_a_file_that_sends_itself_once_it_was_looked_at_is_waited_for(stage: Any) -> None:
    stage.server.answers["/sent"] = lambda _: stage.html("")
    stage.server.answers["/chooser"] = lambda _: stage.html("""<form action="/sent">
        <div style="position: relative; width: 200px"><button>Or choose one</button>
        <input type="file" name="files" style="position: absolute; inset: 0; opacity: 0"></div></form>
        <ul id="list"></ul><script>
        document.querySelector("input").onchange = ({ target }) => {
          new Image().src = "/spinner.gif";
          const turn = new MessageChannel();
          const until = performance.now() + 400;
          turn.port1.onmessage = async () => {
            if (performance.now() < until) return turn.port2.postMessage(0);
            await fetch("/sent", { method: "POST", body: target.files[0] });
            document.getElementById("list").innerHTML = "<li>Please describe it</li>";
          };
          turn.port2.postMessage(0);
        };</script>""")
    graph = stage.explore("/chooser", actions=1)
    (edge,) = graph.transitions
    assert [request.signature for request in edge.effect.writes] == ["POST /sent"]
    assert edge.effect.main == "create"
    assert "Please describe it" in edge.effect.delta.appeared


def test_a_text_that_is_not_there_is_no_field_though_its_label_is(stage: Any) -> None:
    """An editor stands for it, or nothing does; a box in the same place is ticked by its label."""
    stage.server.answers["/hidden"] = lambda _: stage.html("""<form action="/save">
        <label for="t">Content</label><textarea id="t" name="t" style="display:none">Old</textarea>
        <label for="s">Size</label><select id="s" name="s" hidden><option>One<option>Two</select>
        <label for="n">Note</label><input id="n" name="n" style="visibility:hidden">
        <label for="c">Agree</label><input id="c" name="c" type="checkbox" style="display:none">
        <label for="f">Faint</label><input id="f" name="f" style="opacity:0"><button>Save</button></form>""")
    state = stage.go("/hidden")
    fields = {each.label for each in state.elements if (each.editable or each.checkable) and each.visible}
    assert fields == {"Agree", "Faint"}
    stage.driver.perform(Type(target=Target.of(stage.at(state, "Faint")), text="new"))
    assert stage.at(stage.see(), "Faint", "textbox").value == "new"
    assert "Content" in stage.said(), "it is a text like any other"


def test_p18_what_is_hidden_from_readers_only_is_visible_and_works(stage: Any) -> None:
    state = stage.go("/controls.html")
    ghost = stage.at(state, "Visible after all")
    assert (ghost.visible, ghost.role, ghost.clickable) == (True, "button", True)
    assert stage.picture().crop((ghost.box.x1, ghost.box.y1, ghost.box.x2, ghost.box.y2)).getcolors(4) is None
    stage.click(ghost)
    assert "ghost" in stage.said()


def test_p19_twins_with_one_id_are_hit_apart_on_another_visit(stage: Any) -> None:
    state = stage.go("/twins.html")
    twins = [element for element in state.elements if element.label == "Choose"]
    assert len({element.key for element in twins}) == 2
    assert len({element.box for element in twins}) == 2
    for element in twins:
        assert not [each for each in element.locators if each.value == "#-dropdown"], "it names both"
    assert not {each.value for each in twins[0].locators} & {each.value for each in twins[1].locators}
    for at, element in enumerate(twins):
        fresh = browser.session(
            app=stage.app.model_copy(update={"entry": "/twins.html"}), lang="en", origin=stage.server.origin
        )
        try:
            gesture = fresh.perform(Click(target=Target.of(element))).gesture
            assert gesture.box == element.box
            assert f"opened {at}" in fresh.observe().texts()
        finally:
            fresh.close()


def test_what_listens_for_the_controls_inside_it_is_no_control_itself(stage: Any) -> None:
    state = stage.go("/delegate.html")
    pressed = {element.key for element in state.elements if element.clickable and element.role == "generic"}
    assert pressed == {"generic#card", "generic#row"}


def test_a_form_is_the_same_under_every_fragment(stage: Any) -> None:
    (before,) = (each.key for each in stage.go("/delegate.html").elements if each.role == "form")
    stage.press("Active")
    state = stage.see()
    assert state.address == "/delegate.html#/active"
    assert [each.key for each in state.elements if each.role == "form"] == [before]


def test_a_menu_that_stands_on_every_page_is_opened_where_the_crawl_is(stage: Any) -> None:
    pages = ("tea", "milk", "bread", "salt")
    links = "".join(f'<a href="/menu/{name}">{name}</a> ' for name in pages)
    menu = f'<button onclick="list.hidden = !list.hidden">Menu</button><nav id="list" hidden>{links}</nav>'
    for name in ("", *pages):
        stage.server.answers[f"/menu/{name}"] = lambda at: stage.html(f"{menu}<h1>{at.path}</h1>")
    graph = stage.explore("/menu/", actions=2 * len(pages))
    states = graph.by_id()
    led = {edge.action.target.label: states[edge.source].address for edge in graph.transitions}
    assert {*pages} <= {*led}
    assert [stage.server.asked.count(f"GET /menu/{name}") for name in pages] == [1] * len(pages)
    assert len({led[name] for name in pages}) == len(pages), "each was left from where the last one led"


def test_what_a_field_opens_over_the_next_one_goes_as_the_field_is_left(stage: Any) -> None:
    stage.server.answers["/sent"] = lambda _: stage.html("<h1>Sent</h1>")
    stage.server.answers["/calendar"] = lambda _: stage.html("""<form action="/sent" method="post">
        <p><label>From <input name="from"></label></p><p><label>Days <input name="days"></label></p>
        <button>Send</button></form>
        <div id="calendar" hidden style="position: absolute; inset: 40px 0 0 0; background: white">May</div>
        <script>const from = document.querySelector("[name=from]");
        from.onfocus = () => { calendar.hidden = false; };
        from.onkeydown = ({ key }) => { if (key === "Tab") calendar.hidden = true; };</script>""")
    state = stage.go("/calendar")
    form = forms_of(state)[0]
    evidence = stage.driver.perform(fill(form, {"from": "today", "days": "7"}, form.submits[0]))
    (sent,) = (request for request in evidence.requests if request.method == "POST")
    assert sent.fields == (("from", "today"), ("days", "7"))

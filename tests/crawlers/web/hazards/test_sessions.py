"""Sessions: links that end them, servers that forget them, and browsers that pile up."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import psutil
import pytest

from crawlers.web import browser, recorder
from schemas.action import Open
from schemas.effect import EffectClass
from schemas.graph import FunctionGraph, Risk

pytestmark = pytest.mark.slow

LOGIN = """<title>Log in</title>
<form method="post" action="/in"><input type="password" name="pw"><button>Enter</button></form>"""
PAGES = ("home", "bills", "people", "charts")


def club(stage: Any, leave: str) -> Callable[[], FunctionGraph]:
    """A site behind a login, whose navigation holds a link that ends the session."""

    def inside(request: Any) -> Any:
        if "member=1" not in request.headers.get("Cookie", ""):
            return stage.html(LOGIN)
        links = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in PAGES)
        name = request.path.strip("/")
        return stage.html(f"<title>{name}</title><nav>{leave}<ul>{links}</ul></nav><h1>All {name}</h1>")

    for name in PAGES:
        stage.server.answers[f"/{name}"] = inside
    gone = {"Set_Cookie": "member=; Max-Age=0"}
    stage.server.answers["/away"] = lambda _: stage.html("<title>Bye</title><p>See you soon</p>", **gone)
    stage.server.answers["/logout"] = stage.server.answers["/away"]
    stage.server.answers["/enter"] = lambda _: (302, {"Set-Cookie": "member=1", "Location": "/home"}, b"")
    return lambda: stage.explore("/enter", actions=25)


def titles(graph: FunctionGraph) -> set[str]:
    return {state.title for state in graph.states}


def test_p23_a_logout_link_is_known_and_tried_last(stage: Any) -> None:
    graph = club(stage, '<a href="/logout">Log out</a>')()
    assert {*PAGES} <= titles(graph)
    (left,) = [edge for edge in graph.transitions if edge.risk is Risk.ACCOUNT]
    assert left.effect.main is EffectClass.LOGOUT
    assert graph.transitions.index(left) >= len(PAGES) - 1
    assert graph.coverage.sessions_lost == 0


def test_p23_a_logout_link_is_not_tried_where_it_cannot_be_taken_back(stage: Any) -> None:
    club(stage, '<a href="/logout">Log out</a>')
    graph = stage.explore("/enter", actions=25, static="")
    assert "GET /logout" not in stage.server.asked
    assert ("Log out", "risk_account") in {(each.label, each.reason) for each in graph.untried}


def test_p23_a_session_that_is_lost_unawares_is_found_out_and_begun_again(stage: Any) -> None:
    graph = club(stage, '<a href="/away">Further</a>')()
    assert {*PAGES, "Bye"} <= titles(graph)
    assert graph.coverage.sessions_lost > 0
    for edge in graph.transitions:
        if edge.action.kind == "click" and edge.action.target.label.lower() in PAGES:
            assert graph.by_id()[edge.target].title == edge.action.target.label.lower()


def test_p23_a_page_that_asks_for_a_password_by_itself_is_no_lost_session(stage: Any) -> None:
    club(stage, '<a href="/start">Another account</a>')
    stage.server.answers["/start"] = lambda _: stage.html(LOGIN)
    graph = stage.explore("/enter", actions=25)
    assert graph.coverage.sessions_lost == 0
    assert "unreachable" not in {each.reason for each in graph.untried}
    assert "POST /in" in stage.server.asked


def test_p24_many_sessions_leave_no_windows_and_no_processes(stage: Any) -> None:
    def size() -> tuple[int, int]:
        contexts = stage.driver._browser._chromium.contexts
        return len(contexts), len(psutil.Process().children(recursive=True))

    def once(at: int) -> None:
        app = stage.app.model_copy(update={"name": f"app{at % 8}"})
        session = browser.session(app=app, lang="en", origin=stage.server.origin)
        session.observe()
        session.close()

    for at in range(browser.KEPT + 1):
        once(at)
    before = size()
    for at in range(2 * browser.KEPT):
        once(at)
    contexts, processes = size()
    assert contexts <= before[0] <= browser.KEPT + 1
    assert processes <= before[1] + 1


def test_p24_what_a_session_remembers_is_bounded(stage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "DOCUMENTS", 3)
    for _ in range(9):
        stage.driver.perform(Open(address="/plain.html"))
    held = stage.driver._session._recorder
    assert len(held._documents) <= 4
    assert len(held._status) <= 8
    assert not held.patience.open


def test_p24_nothing_outlives_a_crawl_that_is_terminated(stage: Any) -> None:
    program = f"""
from crawlers.web import browser
from schemas.app import App
app = App.model_validate_json({stage.app.model_dump_json()!r})
session = browser.session(app=app, lang="en", origin={stage.server.origin!r})
print("ready", flush=True)
while True:
    session.observe()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive


def test_the_entry_is_loaded_only_where_nothing_else_is_opened_first(stage: Any) -> None:
    def session() -> Any:
        return browser.session(app=stage.app, lang="en", origin=stage.server.origin)

    elsewhere = session()
    elsewhere.perform(Open(address="/ring.html"))
    assert elsewhere.observe().route == "/ring.html"
    elsewhere.close()
    assert "GET /plain.html" not in stage.server.asked
    entered = session()
    assert entered.observe().route == "/plain.html"
    entered.close()


def test_a_form_behind_a_link_that_is_answered_from_elsewhere_is_sent_like_others(stage: Any) -> None:
    """The redirect may have changed the session, or have been no more than that."""
    pages = [f"{first}{second}" for first in ("tea", "milk", "salt") for second in ("cup", "jar", "box")]
    links = "".join(f'<a href="/shelf/{name}">{name}</a> ' for name in pages)
    stage.server.answers["/shelf/"] = lambda _: stage.html(f'<a href="/shelf/add">Add</a> {links}')
    stage.server.answers["/shelf/add"] = lambda _: (302, {"Location": "/shelf/add/tea"}, b"")
    form = '<form action="/shelf/put" method="post"><input name="title"><button>Put</button></form>'
    stage.server.answers["/shelf/add/tea"] = lambda _: stage.html(form)
    stage.server.answers["/shelf/put"] = lambda _: stage.html("<h1>Put</h1>")
    for name in pages:
        stage.server.answers[f"/shelf/{name}"] = lambda at: stage.html(f"<h1>{at.path}</h1>{links}")
    stage.explore("/shelf/", actions=5)
    assert "POST /shelf/put" in stage.server.asked

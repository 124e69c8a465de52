import base64
import http.client
import json
import re
import sys
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import psutil
import pytest

from crawlers import clock, recipe
from crawlers.host import HostError
from crawlers.web.host import WebHost
from crawlers.web.install import install, installed
from crawlers.web.pristine import Pristine, pristine
from crawlers.web.records import Records
from schemas.app import App, Locale, Platform, Seed
from schemas.effect import DataChange
from schemas.screen import Quality, State

NOTES = """
import sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs

kept = []

class Notes(BaseHTTPRequestHandler):
    def answer(self, status, text):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        if self.path == "/die":
            sys.stderr.write("the disk is on fire\\n")
            sys.stderr.flush()
            import os
            os._exit(3)
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        notes = [path.read_text() for path in sorted(Path("notes").iterdir())]
        greeting = Path("greeting").read_text()
        self.answer(200, repr({"notes": notes, "kept": kept, "now": now, "greeting": greeting}))

    def do_POST(self):
        fields = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if "note" not in fields:
            return self.answer(400, "a note is missing")
        for note in fields["note"]:
            kept.append(note)
            Path("notes", f"{len(list(Path('notes').iterdir()))}.txt").write_text(note)
        self.answer(303, self.headers.get("Authorization", ""))

    def log_request(self, *args):
        pass

HTTPServer(("127.0.0.1", int(sys.argv[1])), Notes).serve_forever()
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "slow" not in request.keywords:  # those share the installed apps of this machine
        monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path))


def notes(**changes: object) -> App:
    """A small app in one file, which keeps its notes in files and, wrongly, in memory too."""
    app = App(
        name="notes",
        title="Notes",
        platform=Platform.WEB,
        licence="MIT",
        files={"notes.py": NOTES, "greeting": "{locale} at {origin} in {data}"},
        setup=(("mkdir", "notes"),),
        seed=(Seed(path="/", form={"note": ["milk", "bread"]}, user="me", password="x"),),
        serve=(sys.executable, "notes.py", "{port}"),
        locale=Locale(via="setup", codes={"en": "English", "de": "Deutsch"}),
    )
    return app.model_copy(update=changes)


def ask(host: WebHost, method: str = "GET", path: str = "/", body: str | None = None) -> str:
    connection = http.client.HTTPConnection(host.origin.removeprefix("http://"), timeout=10)
    try:
        connection.request(method, path, body)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


@pytest.fixture
def start() -> Iterator[Callable[..., WebHost]]:
    started: list[WebHost] = []

    def open_host(app: App, lang: str = "en") -> WebHost:
        started.append(WebHost(app, lang))
        started[-1].start()
        return started[-1]

    yield open_host
    for host in started:
        host.stop()


def test_it_is_set_up_seeded_and_served_in_its_language(start: Callable[..., WebHost]) -> None:
    host = start(notes(), "de")
    screen = ask(host)
    assert "'notes': ['milk', 'bread']" in screen
    assert f"Deutsch at {host.origin} in {host.data}" in screen
    assert "'kept': []" in screen, "it was restarted after seeding"


def test_restoring_brings_back_files_and_restarts_an_app_that_remembers(
    start: Callable[..., WebHost],
) -> None:
    host = start(notes())
    before = ask(host)
    ask(host, "POST", body="note=eggs")
    assert "eggs" in ask(host)
    host.restore()
    assert ask(host) == before


def test_an_app_that_keeps_nothing_in_memory_is_not_restarted(start: Callable[..., WebHost]) -> None:
    host = start(notes(restart=False))
    ask(host, "POST", body="note=eggs")
    host.restore()
    assert "'notes': ['milk', 'bread'], 'kept': ['eggs']" in ask(host)


def test_two_hosts_of_one_app_do_not_share_anything(start: Callable[..., WebHost]) -> None:
    first, second = start(notes()), start(notes())
    ask(first, "POST", body="note=eggs")
    assert "eggs" not in ask(second)
    assert f"in {second.data}" in ask(second)


def test_the_next_host_finds_the_pristine_data_made_and_untouched(start: Callable[..., WebHost]) -> None:
    host = start(notes())
    before, origin = ask(host), host.origin
    ask(host, "POST", body="note=eggs")
    host.stop()
    again = start(notes())
    assert (ask(again), again.origin) == (before, origin)


def test_an_app_that_died_says_why_and_is_brought_back_by_restoring(start: Callable[..., WebHost]) -> None:
    host = start(notes(restart=False))
    with pytest.raises(http.client.HTTPException):
        ask(host, path="/die")
    host._running._service._watcher.wait(20)  # type: ignore[union-attr]
    with pytest.raises(HostError, match=r"Notes has died \(exit status 3\): the disk is on fire"):
        host.driver()
    host.restore()
    assert "milk" in ask(host)


def test_stopping_ends_its_processes_and_removes_its_data(start: Callable[..., WebHost]) -> None:
    host = start(notes())
    data, tree = host.data, host._running._service._tree()
    host.stop()
    assert not any(process.is_running() for process in tree)
    assert not data.parent.exists()
    host.stop()
    with pytest.raises(HostError, match="not running; start its host first"):
        host.restore()


@pytest.mark.parametrize(
    "changes,complaint",
    [
        ({"setup": (("false",),)}, "Notes: the command false … failed with status 1"),
        ({"setup": (("no-such-program",),)}, "the command no-such-program could not be run"),
        ({"seed": (Seed(path="/"),)}, "seed POST / got"),
        ({"seed": (Seed(path="/", form={"x": "1"}),)}, "seed POST / got 400: a note is missing"),
        ({"serve": (sys.executable, "-c", "raise SystemExit('no')")}, r"has died \(exit status 1\): no"),
        ({"serve": ()}, "neither serve nor static"),
    ],
)
def test_what_goes_wrong_is_told_in_one_sentence_and_leaves_nothing_behind(
    changes: dict[str, object], complaint: str, tmp_path: Path
) -> None:
    children = psutil.Process().children(recursive=True)
    with pytest.raises(HostError, match=complaint):
        WebHost(notes(**changes), "en").start()
    assert psutil.Process().children(recursive=True) == children
    assert [path for path in (tmp_path / "slots").iterdir() if path.is_dir()] == []


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(HostError, match=r"Notes cannot be crawled in 'fr'; its recipe knows en, de\."):
        WebHost(notes(), "fr")


def test_a_folder_is_served_as_it_is(start: Callable[..., WebHost]) -> None:
    app = notes(serve=(), seed=(), setup=(), static="{data}", restart=False, ready="/greeting")
    host = start(app)
    assert ask(host, path="/greeting").startswith("English at")
    (host.data / "greeting").write_text("changed")
    assert ask(host, path="/greeting") == "changed"
    host.restore()
    assert ask(host, path="/greeting").startswith("English at")


def test_routes_are_what_the_recipes_command_prints(start: Callable[..., WebHost]) -> None:
    assert start(notes(routes=("cat", "greeting"))).routes().startswith("English at")
    assert start(notes()).routes() == ""


def test_the_session_moves_with_the_port() -> None:
    storage = json.loads(
        '{"cookies": [], "origins": [{"origin": "http://127.0.0.1:20001", "localStorage": []}]}'
    )
    made = Pristine(origin="http://127.0.0.1:20001", rendered=(), storage=storage)
    moved = json.dumps(made.storage_at("http://127.0.0.1:20002"))
    assert "20001" not in moved
    assert "http://127.0.0.1:20002" in moved
    assert made.model_copy(update={"storage": None}).storage_at("http://127.0.0.1:20002") is None


def test_what_looking_around_changes_is_found_on_a_copy() -> None:
    counting = NOTES.replace("now = time", 'Path("hits").write_text(str(time.time_ns()))\n        now = time')
    app = notes(files={**notes().files, "notes.py": counting})
    made, folder = pristine(app, "en", install(app))
    assert made.noise == (DataChange(store="hits", updated=1),)
    written = (folder / "data" / "hits").read_text()
    assert Records(folder / "data").changes() == ()
    again, _ = pristine(app, "en", install(app))
    assert again == made
    assert (folder / "data" / "hits").read_text() == written


def test_the_clock_stands_still_where_libfaketime_is_installed(start: Callable[..., WebHost]) -> None:
    if not clock.variables("2027-02-01 09:00:00"):
        pytest.skip("needs the Debian package libfaketime")
    host = start(notes())
    assert "'now': '2027-02-01 09:00:00'" in ask(host)
    real = start(notes(clock=""))
    assert "'now': '2027-02-01 09:00:00'" not in ask(real)


MISSING = re.compile("No Chromium|needs Debian packages|needs npm|could not be installed")


@pytest.fixture
def open_real(start: Callable[..., WebHost]) -> Callable[[str, str], WebHost]:
    def open_host(name: str, lang: str) -> WebHost:
        app = recipe.load(name)
        if not installed(app):  # tests fetch nothing
            pytest.skip(f"{app.title} is not installed: groundsmith doctor --app {name}")
        try:
            return start(app, lang)
        except HostError as error:
            if MISSING.search(str(error)):
                pytest.skip(str(error))
            raise

    return open_host


def entry(host: WebHost) -> State:
    driver = host.driver()
    try:
        return driver.observe()
    finally:
        driver.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name,words",
    [
        ("ihatemoney", {"en": "Statistics", "zh-Hans": "统计"}),
        ("trac", {"en": "Roadmap", "zh-Hans": "路线图"}),
        ("dokuwiki", {"en": "Log Out", "zh-Hans": "退出"}),
        ("shaarli", {"en": "Tag cloud", "de": "Ausloggen", "fr": "Nuage de tags", "ja": "ツール"}),
        ("todomvc", {"en": "Water the plants"}),
        ("adminer", {"en": "Create table", "zh-Hans": "创建表"}),
        ("datasette", {"en": "Report a tree"}),
        ("fava", {"en": "Balance Sheet", "zh-Hans": "资产负债表"}),
        ("fossil", {"en": "Timeline"}),
        ("isso", {"en": "2 Comments", "zh-Hans": "2 条评论"}),
        ("mediawiki", {"en": "Watchlist", "zh-Hans": "监视列表"}),
        ("phpliteadmin", {"en": "Structure", "zh-Hans": "结构"}),
        ("roundup", {"en": "Your Issues", "zh-Hans": "登出"}),
        ("sqlite-web", {"en": "The Sea Wall"}),
    ],
)
def test_a_shipped_app_opens_logged_in_at_its_entry_in_each_language(
    open_real: Callable[[str, str], WebHost], name: str, words: dict[str, str]
) -> None:
    assert tuple(words) == recipe.load(name).languages
    for lang, word in words.items():
        host = open_real(name, lang)
        first = entry(host)
        assert first.status == 200
        assert first.quality is not Quality.ERROR
        assert first.address.startswith(host.app.entry)
        assert any(word in line for line in first.texts())
        host.restore()
        assert entry(host).id == first.id, "the entry is the same in every session"
        host.stop()


@pytest.mark.slow
def test_ihatemoney_needs_no_restart_to_be_restored(open_real: Callable[[str, str], WebHost]) -> None:
    host = open_real("ihatemoney", "en")
    token = base64.b64encode(b"demo:" + host.app.secrets["password"].encode()).decode()

    def api(path: str, form: dict[str, str] | None = None) -> str:
        body = urlencode(form).encode() if form else None
        request = urllib.request.Request(f"{host.origin}/api/projects/demo{path}", body)  # noqa: S310
        request.add_header("Authorization", f"Basic {token}")
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            text: str = answer.read().decode()
            return text

    before = api("/members")
    for _ in range(3):
        api("/members", {"name": "Newcomer"})
        assert "Newcomer" in api("/members")
        host.restore()
        assert api("/members") == before


@pytest.mark.slow
def test_trac_needs_no_restart_to_be_restored(open_real: Callable[[str, str], WebHost]) -> None:
    host = open_real("trac", "en")
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
    )

    def page(path: str, form: dict[str, str] | None = None) -> str:
        body = urlencode(form).encode() if form else None
        with opener.open(host.origin + path, body) as answer:
            text: str = answer.read().decode()
            return text

    def rename_component() -> None:
        token = re.search(r'__FORM_TOKEN" value="(\w+)', page("/admin/ticket/components/lamp"))
        assert token is not None
        page(
            "/admin/ticket/components/lamp",
            {"__FORM_TOKEN": token[1], "name": "lantern", "owner": "", "description": "", "save": "Save"},
        )

    for _ in range(3):
        rename_component()
        assert ">lantern<" in page("/newticket"), "the cache of fields was renewed"
        host.restore()
        assert ">lamp<" in page("/newticket")
        assert ">lantern<" not in page("/newticket")

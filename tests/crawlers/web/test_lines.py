import http.client
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawlers.web import lines as module
from crawlers.web.host import WebHost
from crawlers.web.install import Toolbox
from crawlers.web.lines import Gauge, Reading, gained, own_packages
from schemas.app import App, Install

SERVER = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Purse(BaseHTTPRequestHandler):
    def do_GET(self):
        text = b"hello"
        if self.path == "/bills":
            text = b"bills"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        raise NotImplementedError

    def log_request(self, *args):
        pass

if sys.argv[1:]:
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Purse).serve_forever()
"""
ANSWER, BILLS = 7, 9
"""Numbers of the line that every answer runs and of the one that only the bills do."""


def known(tools: Toolbox, name: str, *files: str) -> None:
    """Have the tools hold a distribution of that name with these files."""
    info = tools.package / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    info.joinpath("RECORD").write_text("".join(f"{file},,\n" for file in files))


def purse(**changes: object) -> App:
    app = App(
        name="purse",
        title="Purse",
        platform="web",
        licence="MIT",
        install=Install(pypi=("purse==1.0", "other==1.0")),
        setup=((sys.executable, "-m", "purse"),),
        serve=(sys.executable, "-m", "purse", "{port}"),
        env={"PYTHONPATH": "{package}"},
        locale={"via": "browser", "codes": {"en": "en"}},
    )
    return app.model_copy(update=changes)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toolbox]:
    """A place where purse is installed, which nobody fetches from anywhere."""
    tools = Toolbox(tmp_path / "tools")
    known(tools, "purse", "purse.py")
    tools.package.joinpath("purse.py").write_text(SERVER)
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "install", lambda _: tools)
    monkeypatch.setattr("crawlers.web.host.install", lambda _: tools)
    return tools


def read(gauge: Gauge, *paths: str) -> Reading:
    """What runs while purse is asked for these."""
    with WebHost(gauge.app, "en", gauge.variables) as host:
        for path in paths:
            connection = http.client.HTTPConnection(host.origin.removeprefix("http://"), timeout=10)
            connection.request("GET", path)
            connection.getresponse().read()
            connection.close()
    return gauge.read()


def test_lines_of_the_start_are_nobodys_gain() -> None:
    assert gained({"a.py": frozenset({1, 2, 3}), "b.py": frozenset({1})}, {"a.py": frozenset({1, 2})}) == 2


def test_an_apps_own_packages_are_those_of_its_first_requirement(tmp_path: Path) -> None:
    tools = Toolbox(tmp_path)
    known(tools, "Some_App", "some_app/__init__.py", "../../bin/run.py")
    known(tools, "other", "other/__init__.py")
    app = purse(install=Install(pypi=("some-app==1.0", "other==1.0")))
    assert own_packages(app, tools) == (tools.package / "some_app",)


def test_an_app_that_we_did_not_install_from_python_packages_has_no_gauge(tmp_path: Path) -> None:
    assert Gauge.of(purse(install=Install(debian=())), tmp_path) is None


def test_the_lines_that_an_answer_ran_are_read_once_the_app_has_stopped(
    tools: Toolbox, tmp_path: Path
) -> None:
    folder = tmp_path / "lines"
    folder.mkdir()
    gauge = Gauge.of(purse(), folder)
    assert gauge is not None
    file = str(tools.package / "purse.py")
    idle = read(gauge)
    assert ANSWER in idle.lines[file], "it was asked whether it is ready"
    assert BILLS not in idle.lines[file]
    gauge.forget()
    assert gauge.read() == Reading({}, 0)
    reading = read(gauge, "/bills")
    assert reading.lines[file] - idle.lines[file] == {BILLS}
    assert gained(reading.lines, idle.lines) == 1
    assert reading.statements == idle.statements > len(reading.lines[file])


@pytest.mark.usefixtures("tools")
def test_commands_do_not_count(tmp_path: Path) -> None:
    gauge = Gauge.of(purse(routes=(sys.executable, "-m", "purse")), tmp_path)
    assert gauge is not None
    with WebHost(gauge.app, "en", gauge.variables) as host:
        host.routes()
        assert not list(tmp_path.glob("data.*")), "set-up and the list of routes ran the package too"

import http.client
import os
import signal
from pathlib import Path

import pytest

from crawlers import recipe
from crawlers.explore import Budget, explore
from crawlers.host import Host, HostError
from crawlers.platforms import counted
from crawlers.scripted import scripted_app
from crawlers.web.host import WebHost
from crawlers.web.install import Toolbox, installed
from crawlers.web.lines import Gauge, Reading, gained, own_packages
from schemas.app import App, Install
from schemas.graph import FunctionGraph
from schemas.record import image_id

ANSWER, BILLS = 7, 9
"""Numbers of the line that every answer of purse runs and of the one that only the bills do."""


def ask(host: WebHost, *paths: str) -> None:
    for path in paths:
        connection = http.client.HTTPConnection(host.origin.removeprefix("http://"), timeout=10)
        connection.request("GET", path)
        connection.getresponse().read()
        connection.close()


def read(gauge: Gauge, *paths: str) -> Reading:
    """What runs while purse is asked for these."""
    with WebHost(gauge.app, "en", gauge.variables) as host:
        ask(host, *paths)
    return gauge.read()


def observed(host: Host) -> FunctionGraph:
    return FunctionGraph(
        app=host.app.name, app_id=host.app.id, lang=host.lang, root="st_0", states=(), transitions=()
    )


def test_lines_of_the_start_are_nobodys_gain() -> None:
    assert gained({"a.py": frozenset({1, 2, 3}), "b.py": frozenset({1})}, {"a.py": frozenset({1, 2})}) == 2


def test_an_apps_own_packages_are_those_of_its_first_requirement(purse: App, tmp_path: Path) -> None:
    tools = Toolbox(tmp_path)
    for name in ("Some_App", "other"):
        info = tools.package / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        info.joinpath("RECORD").write_text(f"{name.lower()}/__init__.py,,\n../../bin/run.py,,\n")
    app = purse.model_copy(update={"install": Install(pypi=("some-app==1.0", "other==1.0"))})
    assert own_packages(app, tools) == (tools.package / "some_app",)


def test_the_lines_that_an_answer_ran_are_read_once_the_app_has_stopped(
    purse: App, tools: Toolbox, tmp_path: Path
) -> None:
    folder = tmp_path / "lines"
    folder.mkdir()
    gauge = Gauge.of(purse, folder)
    assert gauge is not None
    file = str(tools.package / "purse.py")
    idle = read(gauge)
    assert ANSWER in idle.lines[file], "it was asked whether it is ready"
    assert BILLS not in idle.lines[file]
    gauge.forget()
    assert gauge.read() == Reading({}, 0)
    reading = read(gauge, "/bills")
    assert reading.lines[file] - idle.lines[file] == {BILLS}
    assert reading.statements == idle.statements > len(reading.lines[file])


def test_commands_do_not_count(purse: App, tmp_path: Path) -> None:
    gauge = Gauge.of(purse, tmp_path)
    assert gauge is not None
    with WebHost(purse, "en", gauge.variables) as host:
        host.routes()
        assert not list(tmp_path.glob("data.*")), "set-up and the list of routes ran the package too"


def test_a_graph_gets_the_lines_that_its_crawl_ran_and_nothing_else(purse: App) -> None:
    def crawl(host: Host) -> FunctionGraph:
        assert isinstance(host, WebHost)
        ask(host, "/", "/bills")
        host.restore()  # it is another process from here on
        ask(host, "/")
        return observed(host)

    graph = counted(purse, "en", crawl)
    assert graph is not None
    assert (graph.coverage.lines, graph.coverage.statements) == (1, 16)
    plain = graph.coverage.model_copy(update={"lines": None, "statements": None})
    with WebHost(purse, "en") as host:
        assert graph.model_copy(update={"coverage": plain}) == observed(host)


def test_an_app_that_was_killed_outright_is_crawled_and_not_counted(
    purse: App, caplog: pytest.LogCaptureFixture
) -> None:
    def crawl(host: Host) -> FunctionGraph:
        assert isinstance(host, WebHost)
        for pid in host._running._service.pids:
            os.kill(pid, signal.SIGKILL)
        return observed(host)

    graph = counted(purse, "en", crawl)
    assert graph is not None
    assert graph.coverage.lines is graph.coverage.statements is None
    assert "Purse ended without writing down its lines" in caplog.text


@pytest.mark.parametrize("install", [Install(), Install(pypi=("another==1.0",))])
def test_an_app_without_python_packages_of_its_own_is_not_crawled(purse: App, install: Install) -> None:
    assert counted(purse.model_copy(update={"install": install}), "en", observed) is None
    assert counted(scripted_app(), "en", observed) is None


@pytest.mark.slow
def test_a_real_crawl_is_the_same_with_its_lines_counted() -> None:
    app = recipe.load("ihatemoney")
    if not installed(app):  # tests fetch nothing
        pytest.skip(f"{app.title} is not installed: groundsmith doctor --app ihatemoney")

    def crawl(host: Host) -> FunctionGraph:
        graph = explore(host, budget=Budget(actions=4), seed=0, images=image_id)
        return graph.model_copy(update={"coverage": graph.coverage.model_copy(update={"wall_s": 0.0})})

    try:
        graph = counted(app, "en", crawl)
    except HostError as error:
        if "No Chromium" in str(error):
            pytest.skip(str(error))
        raise
    assert graph is not None
    numbers = graph.coverage
    assert numbers.lines is not None
    assert numbers.statements is not None
    assert 50 < numbers.lines < numbers.statements / 2, "importing it is not the crawl's doing"
    plain = numbers.model_copy(update={"lines": None, "statements": None})
    with WebHost(app, "en") as host:
        assert graph.model_copy(update={"coverage": plain}) == crawl(host)

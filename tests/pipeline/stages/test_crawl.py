from collections.abc import Callable

import pytest

from crawlers.explore import Budget
from crawlers.host import Host, HostError
from crawlers.scripted import ScriptedHost, scripted_app
from pipeline.stage import run
from pipeline.stages import crawl as module
from pipeline.stages.crawl import Crawl
from schemas.app import App, Locus
from schemas.graph import FunctionGraph
from schemas.proof import Fault
from schemas.record import image_id
from schemas.rejection import Rejection

LOCUS = Locus(app=scripted_app(), lang="zh-Hans")


class Pool:
    """Hosts made by a function."""

    def __init__(self, make: Callable[[App, str], Host]) -> None:
        self.make = make

    def host(self, app: App, lang: str) -> Host:
        host = self.make(app, lang)
        host.start()
        return host


class Dead(ScriptedHost):
    def start(self) -> None:
        raise HostError("Port 5000 is taken; stop what listens there.")


def crawl(
    make: Callable[[App, str], Host], actions: int = 20, *, lines: bool = False
) -> list[FunctionGraph | Rejection]:
    stage = Crawl(pool=Pool(make), images=image_id, budget=Budget(actions=actions), seed=0, lines=lines)
    return list(run(stage, [LOCUS]))


def test_a_locus_becomes_a_graph() -> None:
    (graph,) = crawl(ScriptedHost)
    assert isinstance(graph, FunctionGraph)
    assert (graph.app, graph.app_id, graph.lang) == ("scripted", LOCUS.app.id, "zh-Hans")


def test_an_app_that_does_not_start_is_the_environments_fault() -> None:
    (rejection,) = crawl(Dead)
    assert isinstance(rejection, Rejection)
    assert (rejection.stage, rejection.reason, rejection.item) == ("crawl", "environment", LOCUS.id)
    assert rejection.fault is Fault.ENVIRONMENT
    assert rejection.detail == "Port 5000 is taken; stop what listens there."


def test_lines_are_counted_on_a_host_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(app: App, lang: str, explore: Callable[[Host], FunctionGraph]) -> FunctionGraph:
        with ScriptedHost(app, lang) as host:
            graph = explore(host)
        coverage = graph.coverage.model_copy(update={"lines": 7, "statements": 9})
        return graph.model_copy(update={"coverage": coverage})

    (plain,) = crawl(ScriptedHost)
    monkeypatch.setattr(module, "counted", counted)
    (graph,) = crawl(Dead, lines=True)
    assert isinstance(graph, FunctionGraph)
    assert (graph.coverage.lines, graph.coverage.statements) == (7, 9)
    assert graph.model_copy(update={"coverage": plain.coverage}) == plain


def test_an_app_whose_lines_cannot_be_counted_is_crawled_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    (graph,) = crawl(ScriptedHost, lines=True)
    assert isinstance(graph, FunctionGraph)
    assert graph.coverage.lines is graph.coverage.statements is None
    assert [record.getMessage() for record in caplog.records] == [
        f"lines of {LOCUS.app.title} are not counted: it is no Python program that was installed for it"
    ]


def test_an_entry_that_offers_nothing_is_told() -> None:
    (rejection,) = crawl(ScriptedHost, actions=0)
    assert isinstance(rejection, Rejection)
    assert rejection.reason == "empty"

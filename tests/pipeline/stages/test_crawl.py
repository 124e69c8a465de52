from collections.abc import Callable

from crawlers.explore import Budget
from crawlers.host import Host, HostError
from crawlers.scripted import ScriptedHost, scripted_app
from pipeline.stage import run
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


def crawl(make: Callable[[App, str], Host], actions: int = 20) -> list[FunctionGraph | Rejection]:
    stage = Crawl(pool=Pool(make), images=image_id, budget=Budget(actions=actions), seed=0)
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


def test_an_entry_that_offers_nothing_is_told() -> None:
    (rejection,) = crawl(ScriptedHost, actions=0)
    assert isinstance(rejection, Rejection)
    assert rejection.reason == "empty"

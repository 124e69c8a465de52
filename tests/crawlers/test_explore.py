import pytest

from crawlers.driver import DriverError
from crawlers.explore import Budget, explore
from crawlers.host import HostError
from crawlers.scripted import ScriptedHost, scripted_app
from crawlers.scripted_driver import ScriptedDriver
from schemas.action import Action
from schemas.effect import EffectClass, Evidence
from schemas.graph import FunctionGraph, Risk
from schemas.record import image_id
from schemas.screen import State

EVERY_ROUTE = {
    *("GET /", "GET /about", "GET /export", "GET /items/add", "GET /items/{}/edit", "GET /login"),
    *("GET /logout", "GET /settings", "POST /items/add", "POST /items/{}/delete", "POST /items/{}/done"),
    *("POST /items/{}/edit", "POST /login", "POST /settings"),
}


def started(lang: str = "en", kind: type[ScriptedHost] = ScriptedHost) -> ScriptedHost:
    host = kind(scripted_app(), lang)
    host.start()
    return host


def crawl(host: ScriptedHost, **budget: int) -> FunctionGraph:
    return explore(host, budget=Budget.model_validate(budget), seed=0, images=image_id)


@pytest.fixture(scope="module")
def graph() -> FunctionGraph:
    return crawl(started())


def test_every_route_and_every_class_is_found(graph: FunctionGraph) -> None:
    assert set(graph.coverage.routes) == EVERY_ROUTE
    seen = {kind for each in graph.transitions for kind in each.effect.classes}
    assert seen >= {
        *(EffectClass.NAVIGATE, EffectClass.OPEN, EffectClass.CLOSE, EffectClass.CREATE),
        *(EffectClass.UPDATE, EffectClass.DELETE, EffectClass.SEARCH, EffectClass.SORT),
        *(EffectClass.INVALID, EffectClass.DOWNLOAD, EffectClass.LOGIN, EffectClass.LOGOUT),
        EffectClass.TOGGLE,
    }


def test_two_crawls_are_the_same(graph: FunctionGraph) -> None:
    timeless = {"coverage": {"wall_s"}}
    again = crawl(started())
    assert again.model_dump(exclude=timeless) == graph.model_dump(exclude=timeless)


def test_every_state_has_a_path_from_the_root_and_a_picture(graph: FunctionGraph) -> None:
    paths = graph.paths()
    assert {state.id for state in graph.states} == set(paths)
    assert all(state.image for state in graph.states)
    assert len({state.id for state in graph.states}) == len(graph.states)


def test_paths_really_lead_there(graph: FunctionGraph) -> None:
    host = started()
    for state, path in graph.paths().items():
        host.restore()
        driver = host.driver()
        for transition in path:
            driver.perform(transition.action)
        assert driver.observe().id == state


def test_both_answers_to_a_dialog_are_edges(graph: FunctionGraph) -> None:
    asked = {state.id for state in graph.states if state.dialog}
    answers = {
        (each.action.accept, each.effect.main)
        for each in graph.transitions
        if each.source in asked and each.action.kind == "respond"
    }
    assert (False, EffectClass.CLOSE) in answers
    assert (True, EffectClass.DELETE) in answers


def test_two_entities_and_all_variants_of_forms_are_tried(graph: FunctionGraph) -> None:
    edited = {
        each.effect.writes[0].path
        for each in graph.transitions
        if each.effect.writes and each.effect.writes[0].signature == "POST /items/{}/edit"
    }
    assert {"/items/1/edit", "/items/2/edit"} <= edited
    variants = {each.action.variant for each in graph.transitions if each.action.kind == "submit"}
    assert variants == {"valid", "untouched", "invalid", "boundary"}


def test_secrets_never_enter_the_graph(graph: FunctionGraph) -> None:
    assert "open-sesame" not in graph.model_dump_json()
    assert "{secret:code}" in graph.model_dump_json()


def test_the_budget_holds_and_what_is_left_is_reported() -> None:
    small = crawl(started(), actions=9)
    assert small.coverage.actions == 9
    assert any(each.reason == "budget" for each in small.untried)
    assert crawl(started(), actions=0).transitions == ()


def test_forms_are_reached_early() -> None:
    small = crawl(started(), actions=30)
    assert small.coverage.forms_tried >= 3
    assert len(set(small.coverage.routes)) >= 10


def test_languages_have_the_same_actions() -> None:
    english, chinese = crawl(started(), actions=60), crawl(started("zh-Hans"), actions=60)
    assert english.coverage.routes == chinese.coverage.routes
    assert [each.structure for each in english.states] == [each.structure for each in chinese.states]


def test_an_app_that_is_not_ours_is_only_looked_at() -> None:
    host = ScriptedHost(scripted_app().model_copy(update={"serve": ()}), "en")
    host.start()
    graph = crawl(host)
    assert {each.risk for each in graph.transitions} == {Risk.NONE}
    assert not any(each.effect.writes for each in graph.transitions)
    assert {each.reason for each in graph.untried} >= {"risk_irreversible", "risk_account", "risk_reversible"}


class Dying(ScriptedHost):
    """A host that crashes at every tenth action of its life."""

    every = 10
    actions = 0
    starts = 0

    def start(self) -> None:
        self.starts += 1
        super().start()

    def driver(self) -> ScriptedDriver:
        driver = super().driver()
        perform = driver.perform

        def crashing(action: Action) -> Evidence:
            self.actions += 1
            if self.actions % self.every == 0:
                raise DriverError("crashed", "The browser is gone.")
            return perform(action)

        driver.perform = crashing  # type: ignore[method-assign]
        return driver


def test_a_dead_browser_is_replaced() -> None:
    host = started(kind=Dying)
    graph = crawl(host, actions=35)
    assert host.starts == 4
    assert graph.coverage.actions == 35
    assert any(each.reason == "crashed" for each in graph.untried)


def test_an_app_that_keeps_dying_is_given_up() -> None:
    with pytest.raises(HostError, match="again"):
        crawl(started(kind=Dying), actions=100)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    explore(
        started(),
        budget=Budget(actions=12),
        seed=0,
        images=image_id,
        progress=lambda actions, states: told.append((actions, states)),
    )
    assert told
    assert told == sorted(told)


class Loads(ScriptedHost):
    """A host that notes every address that is opened."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self.opened: list[str] = []
        self.sessions = 0

    def driver(self) -> ScriptedDriver:
        driver = super().driver()
        perform = driver.perform
        self.sessions += 1

        def noting(action: Action) -> Evidence:
            if action.kind == "open":
                self.opened.append(action.address)
            return perform(action)

        driver.perform = noting  # type: ignore[method-assign]
        return driver


def test_little_is_loaded_only_to_go_back() -> None:
    host = started(kind=Loads)
    graph = crawl(host, actions=60)
    assert isinstance(host, Loads)
    assert len(host.opened) <= graph.coverage.actions // 3


def test_a_fresh_session_goes_straight_to_where_it_is_needed() -> None:
    host = started(kind=Loads)
    graph = crawl(host, actions=60)
    assert isinstance(host, Loads)
    sources = {each.source for each in graph.transitions if each.effect.writes}
    written = {each.address for each in graph.states if each.id in sources and each.address != "/"}
    assert written & set(host.opened)
    assert graph.coverage.resets > 0
    assert "" not in host.opened


class Single(Loads):
    """One page that its links change, as far as anybody can see from outside."""

    def driver(self) -> ScriptedDriver:
        driver = super().driver()
        perform = driver.perform

        def changing(action: Action) -> Evidence:
            evidence = perform(action)
            if action.kind != "click":
                return evidence
            quiet = tuple(each.model_copy(update={"document": False}) for each in evidence.requests)
            return evidence.model_copy(update={"requests": quiet})

        driver.perform = changing  # type: ignore[method-assign]
        return driver


def test_links_of_a_single_page_app_lead_back_without_loading_it_anew() -> None:
    many, single = started(kind=Loads), started(kind=Single)
    states = [{each.structure for each in crawl(host, actions=60).states} for host in (many, single)]
    assert isinstance(many, Loads)
    assert isinstance(single, Loads)
    assert len(single.opened) < len(many.opened)
    assert len(states[1]) >= len(states[0])


class Remembering(ScriptedHost):
    """A host whose screens all show, until it is restored, how much was pressed, which no request tells."""

    stubborn = False
    remembers = 0
    sessions = 0

    def restore(self) -> None:
        super().restore()
        if not self.stubborn:
            self.remembers = 0

    def driver(self) -> ScriptedDriver:
        driver = super().driver()
        perform, observe = driver.perform, driver.observe
        self.sessions += 1
        self.remembers += self.stubborn

        def remembering(action: Action) -> Evidence:
            self.remembers += not self.stubborn and action.kind == "click"
            return perform(action)

        def reminded() -> State:
            state = observe()
            return (
                state.model_copy(update={"id": f"{state.id}-{self.remembers}"}) if self.remembers else state
            )

        driver.perform = remembering  # type: ignore[method-assign]
        driver.observe = reminded  # type: ignore[method-assign]
        return driver


class Stubborn(Remembering):
    """One whose screens are others in each session, restored or not."""

    stubborn = True


def test_what_a_server_remembers_of_a_session_is_taken_back() -> None:
    graph = crawl(started(kind=Remembering), actions=60)
    assert graph.coverage.resets > 3
    assert not [each for each in graph.untried if each.reason == "unreachable"]


def test_an_app_that_is_another_one_each_time_is_not_restored_for_it_again_and_again() -> None:
    host = started(kind=Stubborn)
    graph = crawl(host, actions=60)
    assert isinstance(host, Stubborn)
    assert graph.coverage.resets < host.sessions // 2

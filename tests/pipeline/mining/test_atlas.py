"""The ways that capabilities are reached by: as short as what the screens show allows."""

from crawlers.chart import step
from crawlers.identity import state_of
from pipeline.mining.atlas import Atlas
from schemas.action import Click, Target
from schemas.effect import Effect, EffectClass, Evidence, Outcome, Request
from schemas.graph import Coverage, FunctionGraph, Risk, Transition
from schemas.screen import Element, State

NAV = Element(key="nav", template="nav", role="navigation")


def link(name: str) -> Element:
    return Element(
        key=f"nav/{name}",
        template=f"nav/{name}",
        role="link",
        name=name,
        href=f"/{name}",
        clickable=True,
        parent=0,
    )


def page(name: str, *links: Element) -> State:
    title = Element(key="h", template="h", role="heading", name=name)
    return state_of(
        app="a",
        lang="en",
        address=f"/{name}",
        route=f"/{name}",
        title=name,
        elements=(NAV, *links, title),
        width=1,
        height=1,
    )


def follow(source: State, name: str, target: State) -> Transition:
    element = next(each for each in source.elements if each.name == name)
    loaded = Request(method="GET", path=f"/{name}", route=f"/{name}", status=200, document=True)
    effect = Effect(
        classes=(EffectClass.NAVIGATE,), outcome=Outcome.NAVIGATED, evidence=Evidence(requests=(loaded,))
    )
    return step(source, Click(target=Target.of(element)), target, effect, Risk.NONE)


def lengths(*, shown: bool) -> list[int]:
    """How far each of three pages is from the first, where the crawl went from one to the next."""
    links = [link("one"), link("two")]
    root = page("root", *(links if shown else links[:1]))
    one, two = page("one", *links), page("two", *links)
    graph = FunctionGraph(
        app="a",
        app_id="ap_1",
        lang="en",
        root=root.id,
        states=(root, one, two),
        transitions=(follow(root, "one", one), follow(one, "two", two)),
        coverage=Coverage(),
    )
    atlas = Atlas(graph)
    return [len(atlas._clean[state.id]) for state in graph.states]


def test_a_link_is_followed_from_the_nearest_screen_that_shows_it() -> None:
    assert lengths(shown=True) == [0, 1, 1]
    assert lengths(shown=False) == [0, 1, 2]

from crawlers.identity import state_of
from crawlers.scrolls import FURTHER, further, scrolls
from schemas.action import Scroll
from schemas.effect import Effect, EffectClass, Outcome
from schemas.screen import Box, Element, State

SET = Effect(classes=(EffectClass.SET,), outcome=Outcome.CHANGED)
NOTHING = Effect(classes=(EffectClass.NONE,), outcome=Outcome.UNCHANGED)


def on(*elements: Element, scale: float = 1.0) -> State:
    return state_of(
        app="a",
        lang="en",
        address="/",
        route="/",
        title="",
        elements=elements,
        width=400,
        height=300,
        scale=scale,
    )


def rows(many: int, *, step: int, shown: int, parent: int = -1) -> list[Element]:
    """So many rows, the first of which are drawn."""
    boxes = [Box(x1=0, y1=at * step, x2=100, y2=(at + 1) * step) for at in range(many)]
    return [
        Element(
            key=f"row[{at}]", template="row[]", role="row", parent=parent, box=box if at < shown else None
        )
        for at, box in enumerate(boxes)
    ]


LIST = Element(key="l", template="l", role="list", scrollable=True, box=Box(x1=0, y1=0, x2=100, y2=200))


def test_a_page_whose_list_goes_on_is_scrolled() -> None:
    (offer,) = scrolls(on(*rows(20, step=50, shown=6)))
    assert offer.action == Scroll(reveal="down", pixels=270)


def test_a_list_of_its_own_is_scrolled_itself() -> None:
    (offer,) = scrolls(on(LIST, *rows(20, step=50, shown=4, parent=0), scale=2.0))
    assert isinstance(offer.action, Scroll)
    assert offer.action.target is not None
    assert (offer.action.target.key, offer.action.pixels) == ("l", 90)


def test_what_ends_in_view_or_is_short_is_left_alone() -> None:
    assert not list(scrolls(on(*rows(5, step=50, shown=5))))
    assert not list(scrolls(on(*rows(4, step=100, shown=3))))


def test_scrolling_goes_on_while_it_brings_something_up_and_ends() -> None:
    state = on(*rows(20, step=50, shown=6))
    (offer,) = scrolls(state)
    assert further(offer, state, NOTHING) is None
    tries = 0
    while (following := further(offer, state, SET)) is not None:
        assert following.scope != offer.scope
        offer, tries = following, tries + 1
    assert tries == FURTHER

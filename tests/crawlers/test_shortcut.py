from dataclasses import replace

from crawlers.chart import Chart, Mark, Node, step
from crawlers.identity import state_of
from crawlers.offer import Offer
from crawlers.shortcut import is_soft, opener, shortcut
from schemas.action import Click, Target
from schemas.effect import Effect, EffectClass, Evidence, Outcome, Request
from schemas.graph import Risk
from schemas.screen import Dialog, Element, State

LINK = Element(key="l", template="l", role="link", name="Bugs", href="/bugs", clickable=True)


def on(*elements: Element, route: str = "/", dialog: Dialog | None = None) -> State:
    return state_of(
        app="a",
        lang="en",
        address=route,
        route=route,
        title="",
        elements=elements,
        width=1,
        height=1,
        dialog=dialog,
    )


def request(*, document: bool) -> Evidence:
    return Evidence(
        requests=(Request(method="GET", path="/bugs", route="/bugs", status=200, document=document),)
    )


def test_a_link_is_soft_where_it_leads_on_without_a_page_load() -> None:
    press = Click(target=Target.of(LINK))
    assert is_soft(on(LINK), press, on(route="/bugs"), request(document=False))
    assert not is_soft(on(LINK), press, on(route="/bugs"), request(document=True))
    assert not is_soft(on(LINK), press, on(LINK), request(document=False))
    button = LINK.model_copy(update={"href": ""})
    assert not is_soft(on(button), press, on(route="/bugs"), request(document=False))


def test_a_shortcut_is_a_link_that_can_be_pressed_as_the_screen_is() -> None:
    assert shortcut(on(LINK), "/bugs") == LINK
    assert shortcut(on(LINK), "/plans") is None
    assert shortcut(on(LINK.model_copy(update={"occluded": True})), "/bugs") is None
    assert shortcut(on(LINK, dialog=Dialog(kind="confirm", message="Leave?")), "/bugs") is None


MENU = Element(key="m", template="m", role="button", name="Menu", clickable=True)


def charted(*, opened: State) -> tuple[Chart, Node]:
    """A root with a menu, and what pressing it led to."""
    chart, root = Chart(), on(MENU)
    chart.root(root)
    effect = Effect(classes=(EffectClass.OPEN,), outcome=Outcome.CHANGED)
    chart.record(step(root, Click(target=Target.of(MENU)), opened, effect, Risk.NONE), opened, ())
    return chart, chart.nodes[root.id]


def to(state: State) -> Offer:
    return Offer(
        state=state.id, action=Click(target=Target.of(LINK)), scope="link /bugs", key="l", label="Bugs"
    )


def elsewhere(*elements: Element, dialog: Dialog | None = None) -> Node:
    return Node(on(*elements, route="/plans", dialog=dialog), (), None, openable=True)


def test_a_menu_is_opened_where_it_stands_on_another_page_too() -> None:
    opened = on(MENU, LINK)
    chart, root = charted(opened=opened)
    way = (Click(target=Target.of(MENU)), Risk.NONE)
    assert opener(chart, to(opened), root) == way
    assert opener(chart, to(opened), elsewhere(MENU)) == way


def test_nothing_is_opened_where_that_may_be_something_else() -> None:
    opened = on(MENU, LINK)
    chart, root = charted(opened=opened)
    assert opener(chart, to(opened), None) is None
    assert opener(chart, to(opened), elsewhere(MENU.model_copy(update={"name": "Other"}))) is None
    assert opener(chart, to(opened), elsewhere(MENU, dialog=Dialog(kind="alert", message="Wait"))) is None
    mark = Mark(root.state.id, Click(target=Target.of(MENU)), Risk.NONE, server=False, data=True)
    assert opener(chart, to(opened), Node(elsewhere(MENU).state, (mark,), None, openable=True)) is None
    button = replace(to(opened), scope="/ m click")
    assert opener(chart, button, elsewhere(MENU)) is None, "a control is about the page that it stands on"
    page = on(MENU, LINK, route="/menu")
    chart, _ = charted(opened=page)
    assert opener(chart, to(page), elsewhere(MENU)) is None, "it led to a page of its own"

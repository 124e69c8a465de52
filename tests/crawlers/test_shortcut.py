from crawlers.identity import state_of
from crawlers.shortcut import is_soft, shortcut
from schemas.action import Click, Target
from schemas.effect import Evidence, Request
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

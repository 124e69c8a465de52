import pytest

from crawlers.identity import state_of
from crawlers.offer import Offer, armed, in_general, offered_by, stands_for
from crawlers.offers import address_template, offers
from crawlers.scripted import scripted_app
from crawlers.sendings import valid_again
from schemas.action import Check, Click, Hover, Respond, Select, Submit, target_of
from schemas.effect import Effect, EffectClass, Evidence, Outcome, Request
from schemas.graph import Risk, Untried
from schemas.screen import Box, Dialog, Element, Option, Quality, State

APP = scripted_app()
BOX = Box(x1=0, y1=0, x2=10, y2=10)


def element(key: str, role: str = "button", **more: object) -> Element:
    given = {"key": key, "template": key, "role": role, "name": key, "clickable": True, "box": BOX}
    return Element.model_validate({**given, **more})


def field(key: str, **more: object) -> Element:
    return element(key, "textbox", **{"form": "f", "field": key, "editable": True, "kind": "text", **more})


def send(key: str = "send", **more: object) -> Element:
    return element(key, **{"form": "f", "kind": "submit", **more})


def on(*elements: Element, route: str = "/", **more: object) -> State:
    return state_of(
        app="a",
        lang="en",
        address=route,
        route=route,
        title="",
        elements=elements,
        width=1,
        height=1,
        **more,
    )


def of(*elements: Element, **more: object) -> list[Offer]:
    return [each for each in offers(on(*elements, **more), APP) if isinstance(each, Offer)]


def refused(*elements: Element) -> list[str]:
    return [each.reason for each in offers(on(*elements), APP) if isinstance(each, Untried)]


def test_a_form_is_sent_in_every_variant_that_it_has() -> None:
    variants = [
        each.action.variant
        for each in of(field("name", required=True, limits="maxlength=9"), send())
        if isinstance(each.action, Submit)
    ]
    assert variants == ["valid", "untouched", "invalid", "boundary"]
    free = [each.action.variant for each in of(field("note"), send()) if isinstance(each.action, Submit)]
    assert free == ["valid", "untouched"]


def test_another_button_of_the_form_sends_it_validly_only() -> None:
    sent = [each.action for each in of(field("name"), send("one"), send("two"))]
    by_two = [each.variant for each in sent if isinstance(each, Submit) and each.submit.key == "two"]
    assert by_two == ["valid"]


def test_a_form_that_came_filled_in_is_changed_field_by_field() -> None:
    sent = [each.action for each in of(field("name", value="old"), field("place", value="here"), send())]
    assert [[entered.name for entered in each.fields] for each in sent][-2:] == [["name"], ["place"]]


def test_a_form_without_fields_is_a_button() -> None:
    (offer,) = of(send("Delete"))
    assert isinstance(offer.action, Click)
    assert offer.risk is Risk.IRREVERSIBLE


def test_controls_outside_of_forms_act_at_once() -> None:
    choice = element(
        "size",
        "combobox",
        options=(Option(value="s", label="S", selected=True), Option(value="m", label="M")),
    )
    box = element("done", "checkbox", checkable=True, checked=True)
    one, two = of(choice, box)
    assert isinstance(one.action, Select)
    assert one.action.value == "m"
    assert isinstance(two.action, Check)
    assert not two.action.checked


def test_a_dialog_takes_an_answer_and_nothing_else() -> None:
    asked = of(element("x"), dialog=Dialog(kind="prompt", message="Name?"))
    assert [each.action for each in asked] == [Respond(accept=False), Respond(accept=True, text="Quill")]
    told = of(dialog=Dialog(kind="alert", message="Done."))
    assert [each.action for each in told] == [Respond(accept=True)]


@pytest.mark.parametrize("quality", [Quality.ERROR, Quality.BLANK, Quality.WALL, Quality.TREE_MISSING])
def test_a_screen_that_is_none_offers_nothing(quality: Quality) -> None:
    assert of(element("x"), quality=quality) == []


def test_what_is_shut_is_not_taken_for_empty() -> None:
    (left,) = offers(on(element("x"), quality=Quality.TREE_MISSING), APP)
    assert isinstance(left, Untried)
    assert (left.key, left.reason) == ("/", "tree_missing")


def test_nothing_is_agreed_to_where_it_cannot_be_put_back() -> None:
    theirs = APP.model_copy(update={"serve": ()})
    asked = on(dialog=Dialog(kind="confirm", message="Sure?"))
    declined, left = offers(asked, theirs)
    assert isinstance(declined, Offer)
    assert declined.action == Respond(accept=False)
    assert isinstance(left, Untried)
    assert left.reason == "risk_irreversible"
    leaving = on(dialog=Dialog(kind="beforeunload", message=""))
    assert [type(each) for each in offers(leaving, theirs)] == [Offer, Offer], (
        "it only loses what was not sent"
    )


def test_entries_that_say_nothing_are_told_apart_by_place() -> None:
    twins = of(*(element(f"card[{at}]/b", template="card[]/b") for at in (1, 2)))
    assert [each.item for each in twins] == ["card[1]/b", "card[2]/b"]


def test_what_is_not_tried_has_a_reason() -> None:
    assert refused(element("x", "link", href="https://example.org/")) == ["off_app"]
    assert refused(element("x", occluded=True)) == ["covered"]
    assert refused(element("Invite", kind="submit", form="f"), field("name")) == ["risk_external"]
    assert refused(element("nav/link=/", "link", href="/")) == ["leads_here"]
    assert refused(element("form=/x/link", "link", href="/")) == []
    assert refused(element("x", visible=False), element("y", enabled=False)) == []


def test_a_link_to_nowhere_is_a_control() -> None:
    (menu,) = of(element("link#menu", "link", href="/"), route="/")
    assert menu.scope == "/ link#menu click"


def test_decoration_inside_a_control_is_not_pressed() -> None:
    icon = element("icon", "img", parent=0)
    inner = element("inner", "button", parent=0)
    assert [each.key for each in of(element("row", "row"), inner, icon)] == ["row", "inner"]


def test_pointing_at_items_that_hide_controls() -> None:
    rows = [element(f"row{n}", "row", template="row[]", clickable=False, item=f"row {n}") for n in range(2)]
    hidden = [
        element(f"edit{n}", template="row[]/edit", parent=n, item=f"row {n}", visible=False, box=None)
        for n in range(2)
    ]
    offered = of(*rows, *hidden)
    assert [each.key for each in offered] == ["row0", "row1"]
    assert all(isinstance(each.action, Hover) for each in offered)
    assert len({each.scope for each in offered}) == 1


@pytest.mark.parametrize(
    "href,template",
    [
        ("/items/3/edit", "/items/{}/edit?#"),
        ("/doku.php?do=login&id=start:x", "/doku.php?do=login&id={}#"),
        ("/t?from=2027-01-01", "/t?from={}#"),
        ("/#/signin", "/?#/signin"),
        ("/report/1?sort=owner&asc=1", "/report/{}?asc={}&sort={}#"),
    ],
)
def test_addresses_keep_what_names_a_function(href: str, template: str) -> None:
    assert address_template(href) == template


def change(**evidence: object) -> Effect:
    return Effect(
        classes=(EffectClass.SET,), outcome=Outcome.CHANGED, evidence=Evidence.model_validate(evidence)
    )


def test_a_button_that_asks_again_is_pressed_again_once() -> None:
    before = on(element("x", name="Delete"))
    after = on(element("x", name="Are you sure?"))
    (offer,) = of(element("x", name="Delete"))
    again = armed(before, after, offer, change())
    assert again is not None
    assert (again.state, again.label) == (after.id, "Are you sure?")
    assert target_of(again.action).label == "Are you sure?"
    assert armed(after, before, again, change()) is None
    assert armed(before, before, offer, change()) is None
    post = Request(method="POST", path="/", route="/", status=302)
    assert armed(before, after, offer, change(requests=[post])) is None


def test_another_state_offers_the_same_only_under_the_same_labels() -> None:
    (offer,) = of(element("x", name="Go"))
    assert offered_by(on(element("x", name="Go"), element("y")), offer.action)
    assert not offered_by(on(element("x", name="Stop")), offer.action)
    assert not offered_by(on(element("x", name="Go", occluded=True)), offer.action)
    assert not offered_by(on(), offer.action)


def test_a_refused_form_is_filled_in_otherwise() -> None:
    state = on(field("thing"), send())
    offer = next(each for each in offers(state, APP) if isinstance(each, Offer))
    number = valid_again(state, offer, APP, 0)
    assert number is not None
    assert isinstance(number.action, Submit)
    assert number.action.fields[0].value == "17"
    assert valid_again(state, number, APP, 0) is None


def test_a_form_that_is_refused_again_and_again_is_sent_with_nothing_but_what_it_needs() -> None:
    state = on(field("text"), field("author", value="7"), send())
    offer: Offer | None = next(each for each in offers(state, APP) if isinstance(each, Offer))
    sent = []
    while offer is not None:
        assert isinstance(offer.action, Submit)
        sent.append({each.name: each.value for each in offer.action.fields})
        offer = valid_again(state, offer, APP, 0)
    assert sent == [{"text": "Quill0", "author": "18"}, {"text": "17", "author": "18"}, {"text": "Quill0"}]


def test_a_link_is_the_same_wherever_it_stands_and_a_control_only_on_its_own_page() -> None:
    link, press = element("l", "link", href="/a"), element("x")
    home = on(link, press)
    followed, pressed = of(link, press)
    assert stands_for(on(link, route="/other"), home, followed)
    assert not stands_for(on(link.model_copy(update={"href": "/b"}), route="/other"), home, followed)
    assert not stands_for(on(link.model_copy(update={"visible": False}), route="/other"), home, followed)
    assert stands_for(on(press, element("more")), home, pressed)
    assert not stands_for(on(press, route="/other"), home, pressed)


def test_nothing_is_the_same_behind_a_dialog() -> None:
    link = element("l", "link", href="/a")
    (followed,) = of(link)
    assert stands_for(on(link), on(link), followed)
    asked = on(link, dialog=Dialog(kind="beforeunload", message="Leave?"))
    assert not stands_for(asked, on(link), followed)


def test_links_to_one_page_are_of_one_kin_however_it_is_shown() -> None:
    pages = ("/bugs", "/bugs?sort=-id", "/bugs?page=2&sort=id", "/bugs?do=new", "/bugs?do=new&id=7", "/plans")
    kin = [offer.kin for offer in of(*(element(href, "link", href=href) for href in pages))]
    assert len({pages[0] for pages in kin}) == 3
    assert kin[0][0] == kin[1][0] == kin[2][0]
    assert kin[3][0] == kin[4][0]


def test_links_that_ask_for_the_same_are_of_one_kin_wherever_they_lead() -> None:
    pages = ("/bugs?sort=-id", "/plans?sort=Name&page=3", "/plans?do=new", "/plans")
    kin = [set(offer.kin[1:]) for offer in of(*(element(href, "link", href=href) for href in pages))]
    assert kin == [{"asked sort={}"}, {"asked sort={}", "asked page={}"}, {"asked do=new"}, set()]


def test_what_is_set_otherwise_by_now_is_another_try() -> None:
    box = element("b", "checkbox", checkable=True)
    (offer,) = of(box)
    assert stands_for(on(box, element("x")), on(box), offer)
    assert not stands_for(on(box.model_copy(update={"checked": True})), on(box), offer)


def test_a_form_as_it_came_is_only_sent_from_where_it_came() -> None:
    home, again = on(field("a"), send()), on(field("a", value="x"), send())
    offered = {
        each.action.variant: each for each in of(field("a"), send()) if isinstance(each.action, Submit)
    }
    assert stands_for(again, home, offered["valid"])
    assert not stands_for(again, home, offered["untouched"])


def test_what_a_page_says_of_itself_is_one_family_over_its_folder() -> None:
    families = {
        offer.family
        for page in ("/wiki/One", "/wiki/Two")
        for offer in of(element("e", "link", href=f"{page}?action=edit"), route=page)
    }
    assert families == {"/wiki/{}?action=edit#"}
    assert in_general(on(route="/wiki/One"), "form=/wiki/OneMore") == "form=/wiki/OneMore"
    assert in_general(on(route="/prefs"), "form=/prefs") == "form=/prefs"


def test_what_only_leaves_a_form_is_pressed_after_what_sends_it() -> None:
    buttons = [send("look", name="Preview"), send("back", name="Cancel"), send("save", name="Save")]
    sent = [each for each in of(field("a"), *buttons) if isinstance(each.action, Submit)]
    first = [each.label for each in sent if each.action.variant == "valid"]
    assert first == ["Save", "Preview", "Cancel"]
    assert {each.label for each in sent if each.action.variant == "untouched"} == {"Save"}
    assert sent[0].weight < min(each.weight for each in sent[1:])


def test_a_file_beneath_a_button_that_cannot_be_pressed_is_chosen_alone() -> None:
    file = field("files", kind="file", occluded=True)
    (sent,) = (each for each in of(file, send(occluded=True)) if each.weight < 0)
    assert isinstance(sent.action, Submit)
    assert sent.action.submit is None
    assert refused(file, send(occluded=True)) == ["covered"]
    assert all(each.action.submit for each in of(file, send()) if isinstance(each.action, Submit))
    assert refused(field("name", occluded=True), send(occluded=True)) == ["covered"]

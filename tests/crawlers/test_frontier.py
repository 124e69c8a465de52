from collections.abc import Callable

from crawlers.frontier import Frontier, Movement
from crawlers.identity import state_of
from crawlers.offer import Offer
from crawlers.scripted import scripted_app
from schemas.screen import Element, State

APP = scripted_app()


def link(href: str, *, item: str = "", template: str = "") -> Element:
    return Element(
        key=f"{href}{item}",
        template=template or href,
        role="link",
        name=href,
        href=href,
        item=item,
        clickable=True,
    )


def button(name: str, *, item: str = "") -> Element:
    return Element(key=f"{name}{item}", template=name, role="button", name=name, item=item, clickable=True)


def on(*elements: Element, route: str = "/") -> State:
    return state_of(
        app="a", lang="en", address=route, route=route, title="", elements=elements, width=1, height=1
    )


def anywhere(_: Offer) -> Movement:
    return "stay"


def drain(
    frontier: Frontier, movement: Callable[[Offer], Movement] = anywhere, landed: str = "sc"
) -> list[str]:
    taken = []
    while (offer := frontier.take(movement)) is not None:
        taken.append(offer.key)
        frontier.note(offer, landed)
    return taken


def test_two_of_a_thousand_rows_are_tried() -> None:
    frontier = Frontier(APP)
    frontier.add(on(*(link(f"/items/{n}/edit", item=f"item {n}", template="edit") for n in range(1000))))
    assert drain(frontier) == ["/items/0/edititem 0", "/items/1/edititem 1"]
    assert {each.reason for each in frontier.rest()} <= {"same_template"}


def test_new_kinds_come_before_more_of_the_same() -> None:
    frontier = Frontier(APP)
    frontier.add(on(link("/a/1", item="1"), link("/a/2", item="2"), link("/b")))
    assert drain(frontier) == ["/a/11", "/b", "/a/22"]


def test_staying_comes_before_opening_and_resetting_comes_last() -> None:
    here, there = on(link("/a")), on(link("/b"), button("x"), route="/there")
    frontier = Frontier(APP)
    frontier.add(there)
    frontier.add(here)
    assert drain(frontier, lambda offer: "stay" if offer.state == here.id else "reset")[0] == "/a"


def test_logging_out_comes_last() -> None:
    frontier = Frontier(APP)
    frontier.add(on(link("/logout"), button("Delete"), link("/a"), button("Menu")))
    assert drain(frontier)[-1] == "/logout"


def test_a_button_on_every_page_is_tried_on_few() -> None:
    frontier = Frontier(APP)
    for page in range(30):
        frontier.add(on(button("Help"), route=f"/p{chr(97 + page % 26)}{page}"))
    assert len(drain(frontier)) == 4


def test_addresses_without_end_are_bounded() -> None:
    frontier = Frontier(APP)
    for day in range(500):
        frontier.add(on(link(f"/timeline?from={day}"), button(f"b{day}")))
    assert sum(key.startswith("/timeline") for key in drain(frontier)) <= 2


def test_neighbours_that_all_look_alike_wait_behind_what_does_not() -> None:
    frontier = Frontier(APP)
    frontier.add(on(*(link(f"/wiki/{chr(97 + n) * 20}{n}x") for n in range(1))))
    pages = [link(f"/wiki/p{'abcdefghij'[n]}") for n in range(10)]
    frontier.add(on(*pages, button("Late"), route="/start"))
    taken = drain(frontier)
    assert taken.index("Late") < taken.index("/wiki/pj")


def test_what_must_not_be_tried_is_reported_once_with_its_reason() -> None:
    frontier = Frontier(APP)
    away = link("https://example.org/")
    covered = button("Under").model_copy(update={"occluded": True})
    for route in ("/", "/b"):
        frontier.add(on(away, covered, route=route))
    assert drain(frontier) == []
    assert [(each.key, each.reason) for each in frontier.rest()] == [
        ("https://example.org/", "off_app"),
        ("Under", "covered"),
    ]


def test_what_was_not_reached_says_budget() -> None:
    frontier = Frontier(APP)
    frontier.add(on(link("/a"), link("/b")))
    taken = frontier.take(anywhere)
    assert taken is not None
    frontier.note(taken, "sc")
    assert [(each.key, each.reason) for each in frontier.rest()] == [("/b", "budget")]
    assert frontier.counts() == {"clickables": 2, "clickables_tried": 1, "forms": 0, "forms_tried": 0}


def test_a_list_of_pages_with_words_for_names_is_bounded() -> None:
    frontier = Frontier(APP)
    names = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
    frontier.add(on(*(link(f"/wiki/{name}", item=name, template="row[]/link=/wiki/{}") for name in names)))
    assert len(drain(frontier)) == 4


def test_another_item_comes_before_mistakes_in_forms_and_the_same_elsewhere_after() -> None:
    frontier = Frontier(APP)
    field = Element(key="f", template="f", role="textbox", form="x", field="n", editable=True, required=True)
    send = Element(key="s", template="s", role="button", form="x", kind="submit", clickable=True, name="Send")
    frontier.add(on(button("Edit", item="1"), button("Edit", item="2"), button("Menu"), field, send))
    frontier.add(on(button("Menu"), button("Edit", item="1"), route="/"))
    taken = drain(frontier)
    assert taken.index("Edit2") < len(taken) - 1 - taken[::-1].index("s")


def test_a_form_gets_its_turn_among_links_without_end() -> None:
    frontier = Frontier(APP)
    field = Element(key="f", template="f", role="textbox", form="x", field="n", editable=True)
    send = Element(key="s", template="s", role="button", form="x", kind="submit", clickable=True, name="Send")
    pages = [link(f"/wiki/{first}{second}/x{first}") for first in "abcdefgh" for second in "ijklmnop"]
    frontier.add(on(*pages, field, send))
    assert "s" in drain(frontier)[:12]


def test_a_manual_with_a_hundred_pages_waits_behind_the_rest_of_the_app() -> None:
    frontier = Frontier(APP)
    manual = [link(f"/wiki/{first}{second}") for first in "abcdefghij" for second in "klmnopqrst"]
    others = [
        link(f"/{part}/{page}{page}") for part in ("bugs", "plans", "code", "people") for page in "uvwxyz"
    ]
    frontier.add(on(*manual, *others))
    taken = [offer.key for _ in range(30) if (offer := _followed(frontier))]
    assert sum(not key.startswith("/wiki") for key in taken) > 20


def test_other_views_of_a_page_wait_for_pages_that_were_not_seen() -> None:
    frontier = Frontier(APP)
    views = [link(f"/bugs?{name}={name}9") for name in ("sort", "page", "filter", "group", "columns")]
    frontier.add(on(*views, *(link(f"/{name}") for name in ("plans", "people", "help"))))
    taken = drain(frontier)
    assert [key for key in taken[:4] if key.startswith("/bugs")] == ["/bugs?sort=sort9"]
    assert len(taken) == 8


def test_pages_that_were_not_seen_come_before_mistakes_in_forms() -> None:
    frontier = Frontier(APP)
    field = Element(key="f", template="f", role="textbox", form="x", field="n", editable=True, required=True)
    send = Element(key="s", template="s", role="button", form="x", kind="submit", clickable=True, name="Send")
    pages = [link(f"/{first}{second}x") for first in "abcdefgh" for second in "klmnopqr"]
    frontier.add(on(*pages, field, send))
    taken = [offer.key for _ in range(len(pages) + 3) if (offer := _followed(frontier))]
    assert taken.index("s") < 4
    assert taken[-2:] == ["s", "s"]


def test_the_pages_at_the_top_are_no_crowd() -> None:
    frontier = Frontier(APP)
    top = [link(f"/{page}{page}") for page in "abcdefghij"]
    frontier.add(on(*(link(f"/wiki/{page}{page}") for page in "klmnop"), *top))
    taken = [offer.key for _ in range(15) if (offer := _followed(frontier))]
    assert len([key for key in taken if key.count("/") == 1]) == 10


def _followed(frontier: Frontier) -> Offer | None:
    offer = frontier.take(anywhere)
    if offer is not None:
        frontier.note(offer, offer.key)  # every page looks different
    return offer


def test_a_form_that_was_not_sent_comes_before_links_and_others_to_the_same_place_after() -> None:
    frontier = Frontier(APP)
    pages = [link(f"/{first}{second}x") for first in "abcd" for second in "klmn"]
    forms = [
        Element.model_validate({"key": key, "template": key, "form": f"form=/save~{n}a", **more})
        for n in "bcd"
        for key, more in (
            (f"f{n}", {"role": "textbox", "field": f"n{n}", "editable": True}),
            (f"s{n}", {"role": "button", "kind": "submit", "clickable": True, "name": "Send"}),
        )
    ]
    frontier.add(on(*pages, *forms))
    taken = drain(frontier)
    assert taken[0] == "sb"
    assert taken.index("sd") > 1


def test_buttons_of_one_group_wait_for_other_things() -> None:
    frontier = Frontier(APP)
    bar = [
        Element(key=f"bar/{name}", template=f"bar/{name}", role="button", name=name, clickable=True)
        for name in ("bold", "italic", "code", "rule")
    ]
    frontier.add(on(*bar, *(link(f"/{name}") for name in "abcd")))
    taken = drain(frontier)
    assert taken.index("/d") < taken.index("bar/rule")


def test_forms_of_one_folder_are_alike_where_they_ask_for_the_same() -> None:
    """Sixteen pages have one form to edit them; what is done to a table takes many, each another one."""

    def sent_before_links(*asked: str) -> int:
        frontier = Frontier(APP)
        frontier.add(on(*(link(f"/{first}{second}x") for first in "abcd" for second in "klmn")))
        for name, field in zip("stuvw", asked, strict=True):
            form = [
                Element.model_validate({"key": f"{name}-{key}", "template": key, "form": name, **more})
                for key, more in (
                    ("text", {"role": "textbox", "field": field, "editable": True}),
                    ("send", {"role": "button", "kind": "submit", "clickable": True, "name": "Send"}),
                )
            ]
            place = f"/books/{name}"
            forms = [each.model_copy(update={"form": f"form={place}~d"}) for each in form]
            frontier.add(on(*forms, route=place))
        taken = drain(frontier)
        first_link = next(at for at, key in enumerate(taken) if key.startswith("/"))
        return sum(key.endswith("send") for key in taken[:first_link])

    assert sent_before_links("a", "b", "c", "d", "e") == 5
    assert sent_before_links(*"aaaaa") < 5


def test_other_views_of_a_page_are_not_put_off_for_good() -> None:
    frontier = Frontier(APP)
    field = Element(key="f", template="f", role="textbox", form="x", field="n", editable=True, value="Old")
    other = field.model_copy(update={"key": "g", "template": "g", "field": "m"})
    send = Element(key="s", template="s", role="button", form="x", kind="submit", clickable=True, name="Send")
    views = [link(f"/list?{first}{second}=1") for first in "abcd" for second in "klmnop"]
    frontier.add(on(*views, field, other, send))
    taken = [offer.key for _ in range(len(views) + 4) if (offer := _followed(frontier))]
    assert taken.index("s") < 4
    assert taken[-2:] == ["s", "s"], "one field at a time comes after all views"


def test_a_form_of_which_more_was_displayed_when_it_was_sent_waits() -> None:
    frontier = Frontier(APP)
    whole, part = (
        [
            Element.model_validate(
                {"key": f"{n}{f}", "template": f"{n}{f}", "form": "x", "kind": kind, **more}
            )
            for f, kind, more in (
                *((f, "text", {"role": "textbox", "field": f, "editable": True}) for f in fields),
                ("s", "submit", {"role": "button", "clickable": True, "name": "Send"}),
            )
        ]
        for n, fields in (("whole ", "ab"), ("part ", "a"))
    )
    frontier.add(on(*whole))
    frontier.add(on(*part, link("/next"), route="/folded"))
    taken = [offer.key for _ in range(5) if (offer := _followed(frontier))]
    assert taken[0] == "whole s"
    assert taken.index("/next") < taken.index("part s")

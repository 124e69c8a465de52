"""Walk → Elements, on walks recorded from a real App and on small ones made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from crawlers.identity import structure_of
from crawlers.web.keys import keys_of, stable
from crawlers.web.raw import RawNode, RawPage
from crawlers.web.snapshot import Capture, nameless, read
from schemas.screen import Box, Element, Quality

WALKS = Path(__file__).parent / "walks"


def recorded(name: str) -> RawPage:
    return cast("RawPage", json.loads((WALKS / f"{name}.json").read_text(encoding="utf-8")))


def page(*nodes: dict[str, Any], **more: Any) -> RawPage:
    walk = {
        "url": "http://127.0.0.1:5000/list",
        "title": "List",
        "width": 100,
        "height": 80,
        "scale": 1.0,
        "frames": 0,
        "canvas": 0.0,
        "walls": [],
        "capped": False,
        "banner": False,
        "nodes": [{"p": -1, "tag": "div", **node} for node in nodes],
        **more,
    }
    return cast("RawPage", walk)


def node(role: str, **more: Any) -> dict[str, Any]:
    return {"role": role, **more}


@pytest.fixture
def bills() -> Capture:
    return read(recorded("bills.en"))


def named(capture: Capture, name: str) -> list[Element]:
    return [element for element in capture.elements if element.name == name]


def test_keys_are_the_same_in_every_language(bills: Capture) -> None:
    chinese = read(recorded("bills.zh-Hans"))
    assert [e.key for e in bills.elements] == [e.key for e in chinese.elements]
    assert structure_of(bills.elements) == structure_of(chinese.elements)
    assert bills.elements != chinese.elements


def test_keys_are_unique_and_parents_come_first(bills: Capture) -> None:
    keys = [element.key for element in bills.elements]
    assert len(set(keys)) == len(keys) == len(bills.numbers)
    assert all(element.parent < place for place, element in enumerate(bills.elements))


def test_rows_share_templates_and_say_what_they_are_about(bills: Capture) -> None:
    edits = [e for e in bills.elements if e.href.startswith("/demo/edit/")]
    assert len(edits) > 1
    assert {e.template for e in edits} == {"main/table#bill_table/row[]/cell.6/link=/demo/edit/{}"}
    assert edits[1].key == "main/table#bill_table/row[2]/cell.6/link=/demo/edit/{}"
    assert len({e.item for e in edits}) == len(edits)
    assert edits[0].item.startswith("2027-01-03 Amina Lunch 3")


def test_buttons_point_to_their_form(bills: Capture) -> None:
    (add,) = named(bills, "Add")
    (name,) = [e for e in bills.elements if e.field == "name"]
    assert add.form == name.form != ""
    form = next(e for e in bills.elements if e.key == add.form)
    assert (form.role, add.kind) == ("form", "submit")


def test_controls_that_hover_reveals_are_there_and_hidden(bills: Capture) -> None:
    hidden = [e for e in bills.elements if e.clickable and not e.visible]
    assert {e.name for e in hidden} == {"deactivate", "edit"}
    assert all(e.item and e.box is None for e in hidden)


def test_locators_name_attributes_first_and_the_place_last(bills: Capture) -> None:
    (link,) = named(bills, "Statistics")
    assert [(locator.kind, locator.value) for locator in link.locators] == [
        ("css", 'a[href="/demo/statistics"]'),
        ("xpath", '//*[@id="navbarToggler"]/ul[1]/li[3]/a[1]'),
    ]


def test_plain_links_are_told_from_scripted_ones(bills: Capture) -> None:
    (statistics,) = named(bills, "Statistics")
    (add,) = named(bills, "Add a new bill")
    assert statistics.key in bills.plain
    assert add.key not in bills.plain


def test_boxes_are_clipped_image_pixels() -> None:
    walk = page(
        node("button", box=[-10.0, 10.2, 50.4, 90.0]),
        node("button", box=[200.0, 0.0, 260.0, 10.0]),
        node("button", box=[1.0, 1.0, 5.0, 5.0], hidden=True),
        scale=2.0,
    )
    capture = read(walk)
    assert (capture.width, capture.height) == (200, 160)
    assert [e.box for e in capture.elements] == [Box(x1=0, y1=20, x2=101, y2=160), None, None]


def test_select_shows_the_label_and_keeps_the_value() -> None:
    options = [["r", "Red", False], ["g", "Green", True]]
    (element,) = read(page(node("combobox", kind="select", value="g", options=options, press=True))).elements
    assert (element.value, element.text) == ("g", "Green")
    assert [option.selected for option in element.options] == [False, True]


@pytest.mark.parametrize(
    "href, expected",
    [
        ("http://127.0.0.1:5000/list?page=2#end", "/list?page=2#end"),
        ("http://127.0.0.1:5000/list#", "/list#"),
        ("http://127.0.0.1:5000", "/"),
        ("http://127.0.0.1:50001/x", "http://127.0.0.1:50001/x"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_links_inside_the_app_lead_to_addresses(href: str, expected: str) -> None:
    (element,) = read(page(node("link", tag="a", href=href))).elements
    assert element.href == expected


def test_files_are_given_and_not_clicked() -> None:
    (element,) = read(page(node("button", kind="file", press=True))).elements
    assert (element.clickable, element.editable) == (False, True)


def test_values_that_are_secrets_are_masked() -> None:
    walk = page(node("textbox", value="open-sesame"), node("textbox", value="open"))
    values = [e.value for e in read(walk, frozenset({"open-sesame"})).elements]
    assert values == ["***", "open"]


def test_long_items_end_at_a_word() -> None:
    (element,) = read(page(node("listitem", item="word " * 100))).elements
    assert len(element.item) <= 120
    assert element.item.endswith("word")


@pytest.mark.parametrize(
    "more, quality",
    [
        ({}, Quality.BLANK),
        ({"canvas": 7000.0}, Quality.TREE_MISSING),
        ({"nodes": [node("text", tag="p", text="Hello")]}, Quality.OK),
        ({"nodes": [node("text", tag="p", text="Hello")], "frames": 1}, Quality.PARTIAL),
        ({"nodes": [node("text", tag="p", text="Hello")], "capped": True}, Quality.PARTIAL),
        ({"nodes": [node("text", tag="p", text="Please verify you are human.")]}, Quality.WALL),
        ({"nodes": [node("text", tag="p", text="请完成安全验证")]}, Quality.WALL),
        ({"nodes": [node("text", tag="p", text="Hello")], "walls": ["cf-turnstile"]}, Quality.WALL),
    ],
)
def test_quality(more: dict[str, Any], quality: Quality) -> None:
    assert read(page(**more)).quality is quality


def test_nameless_are_displayed_controls_only() -> None:
    walk = page(
        node("button", press=True),
        node("button", press=True, name="Save"),
        node("button", press=True, hidden=True),
        node("textbox", press=True, hint="Search"),
        node("text", text="x"),
    )
    assert nameless(walk) == (0,)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("bill_table", "bill_table"),
        ("bal-member-17", "bal-member-{}"),
        ("item[3][qty]", "item[{}][qty]"),
        (":r1:", ""),
        ("ember1234", ""),
        ("x7Gk29Lm", ""),
        ("550e8400-e29b-41d4-a716-446655440000", ""),
        ("über", ""),
    ],
)
def test_stable_names(name: str, expected: str) -> None:
    assert stable(name) == expected


def keys(*nodes: dict[str, Any], **more: Any) -> list[tuple[str, str]]:
    return [(key.key, key.template) for key in keys_of(page(*nodes, **more))]


def test_what_is_alike_is_numbered_below_its_container() -> None:
    assert keys(
        node("navigation"),
        node("button", p=0),
        node("button", p=0),
        node("main"),
        node("button", p=3),
    ) == [
        ("navigation", "navigation"),
        ("navigation/button", "navigation/button"),
        ("navigation/button.2", "navigation/button.2"),
        ("main", "main"),
        ("main/button", "main/button"),
    ]


def test_entries_keep_their_place_in_the_key_only() -> None:
    assert keys(
        node("list"),
        node("listitem", p=0, item="One"),
        node("button", p=1),
        node("listitem", p=0, item="Two"),
        node("button", p=3),
    )[2::2] == [
        ("list/listitem[1]/button", "list/listitem[]/button"),
        ("list/listitem[2]/button", "list/listitem[]/button"),
    ]


def test_boxes_that_stand_for_data_are_entries() -> None:
    people = [node("checkbox", tag="input", check=True, field="for", value=value) for value in ("3", "7")]
    sizes = [
        node("radio", tag="input", check=False, field="size", value=value) for value in ("small", "large")
    ]
    assert keys(*people, *sizes) == [
        ("checkbox@for[1]", "checkbox@for[]"),
        ("checkbox@for[2]", "checkbox@for[]"),
        ("radio@size=small", "radio@size=small"),
        ("radio@size=large", "radio@size=large"),
    ]


def test_scrolling_containers_and_menu_entries_are_no_steps() -> None:
    assert keys(
        node("generic", scrolls=True),
        node("list", p=0),
        node("listitem", p=1),
        node("link", tag="a", p=2, href="http://127.0.0.1:5000/stats?id=4#top"),
        node("link", tag="a", p=2, href="http://example.org/x"),
    )[3:] == [
        ("list/link=/stats?id={}", "list/link=/stats?id={}"),
        ("list/link=example.org", "list/link=example.org"),
    ]


def test_links_that_lead_nowhere_go_by_id() -> None:
    assert keys(
        node("link", tag="a", href="http://127.0.0.1:5000/list#", id="menu"),
        node("link", tag="a", href="javascript:void(0)", aim="#panel"),
        node("link", tag="a", href="http://127.0.0.1:5000/list#/settings/4"),
    ) == [
        ("link#menu", "link#menu"),
        ("link#panel", "link#panel"),
        ("link=/list#/settings/{}", "link=/list#/settings/{}"),
    ]


def test_what_leads_to_the_same_path_is_told_by_what_it_changes() -> None:
    """Sorting is sorting, whatever was searched for before."""

    def links(query: str, *hrefs: str) -> list[str]:
        page = f"http://127.0.0.1:5000/list{query}"
        nodes = [node("link", tag="a", href=f"http://127.0.0.1:5000{href}") for href in hrefs]
        return [key for key, _ in keys(*nodes, url=page)]

    plain = links("", "/list?order=title", "/other?q=a")
    assert plain == ["link=/list?order=title", "link=/other?q={}"]
    assert links("?q=a", "/list?q=a&order=title", "/other?q=a") == plain
    assert links("?q=a&min=3", "/list?min=3&order=title&q=a", "/other?q=a") == plain
    # What changes a value, leaves one out or leads here is told as it is written.
    assert links("?q=a&min=3", "/list?q=b", "/list?q=a", "/list?min=3&q=a") == [
        "link=/list?q={}",
        "link=/list?q={}.2",
        "link=/list?min={}&q={}",
    ]
    # A link to the page itself is what it is elsewhere: the others tell what they all carry on.
    across = ("/list?db=x&dump=", "/list?db=x&create=", "/list?db=x&order=title")
    assert links("?db=x", *across) == links("?db=x&dump=", *across)
    form = node("form", tag="form", sends="", names=["q"])
    (bare,), (asked,), (mode,) = (
        [key.partition("~")[0] for key, _ in keys(form, url=f"http://127.0.0.1:5000/list{query}")]
        for query in ("", "?q=a&min=3", "?do=edit&id=3")
    )
    assert (bare, asked, mode) == ("form=/list", "form=/list", "form=/list?do=edit")


def test_a_series_of_pages_is_one_template() -> None:
    def entries(*names: str) -> set[str]:
        nodes: list[dict[str, Any]] = [node("list")]
        for name in names:
            nodes.append(node("listitem", p=0, item=name))
            nodes.append(node("link", tag="a", p=len(nodes) - 1, href=f"http://127.0.0.1:5000/wiki/{name}"))
        return {template for key, template in keys(*nodes) if "link" in key}

    assert entries("Apple", "Pear", "Plum", "Fig") == {"list/listitem[]/link=/wiki/{}"}
    assert len(entries("Apple", "Pear", "Plum")) == 3
    assert entries("Apple", "7") == {"list/listitem[]/link=/wiki/{}"}


def test_a_series_needs_no_fixed_place_in_its_entries() -> None:
    """Entries with more links push what follows them further on."""

    def entries(*rows: tuple[str, ...]) -> set[str]:
        nodes: list[dict[str, Any]] = [node("list")]
        for row in rows:
            nodes.append(node("listitem", p=0, item=" ".join(row)))
            above = len(nodes) - 1
            nodes += [node("link", tag="a", p=above, href=f"http://127.0.0.1:5000{path}") for path in row]
        return {template.rpartition("=")[2] for key, template in keys(*nodes) if "link" in key}

    codes = ("Ab", "Cd", "Ef", "Gh")
    ragged = [
        (*("/tag/red", "/tag/red/2", "/tag/red/3")[:at], f"/go/{code}") for at, code in enumerate(codes)
    ]
    assert "/go/{}" in entries(*ragged)
    assert not any(code in each for each in entries(*ragged) for code in codes)
    assert "/move/it/{}" in entries(*ragged[1:], (*ragged[0], "/x", "/y", "/z", "/move/it/Ab"))
    # What several entries hold, or one entry holds several of, is no data of theirs.
    assert entries(("/x", "/go/hide"), ("/go/hide",), ("/x", "/y", "/go/show")) == {
        *("/x", "/y", "/go/hide", "/go/show"),
    }
    assert "/go/hide" in entries(("/x", "/y", "/go/hide"), ("/go/hide", "/go/7"))
    assert "/go/Ab" in entries(("/x", *(f"/go/{code}" for code in codes)), ("/go/Ij",))


def test_forms_differ_by_action_and_fields() -> None:
    login = node("form", tag="form", sends="/index", names=["password", "user"])
    search = node("form", tag="form", sends="/index", names=["q"])
    here = node("form", tag="form", sends="", names=["q"])
    found = [key for key, _ in keys(login, search, here)]
    assert len(set(found)) == 3
    assert [key.partition("~")[0] for key in found] == ["form=/index", "form=/index", "form=/list"]
    rows = [node("form", tag="form", sends="/", names=[f"row[{at}]" for at in range(n)]) for n in (1, 3)]
    assert keys(rows[0]) == keys(rows[1])


def test_ids_of_text_are_not_trusted() -> None:
    assert keys(node("heading", level=2, id="willkommen"), node("text", id="x", anchor="intro")) == [
        ("heading2", "heading2"),
        ("#intro/text", "#intro/text"),
    ]


def test_raw_nodes_are_typed() -> None:
    assert {key for walk in ("bills.en",) for each in recorded(walk)["nodes"] for key in each} <= set(
        RawNode.__annotations__
    )

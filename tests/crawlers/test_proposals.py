import re
from io import BytesIO

import pytest
from PIL import Image

from crawlers.forms import Form
from crawlers.proposals import SENTINEL, propose, single
from crawlers.scripted import scripted_app
from schemas.screen import Element, Option

APP = scripted_app()


def field(name: str, **more: object) -> Element:
    given = {
        "key": name,
        "template": name,
        "role": "textbox",
        "field": name,
        "editable": True,
        "kind": "text",
    }
    return Element.model_validate({**given, **more})


def valid(*fields: Element, attempt: int = 0) -> dict[str, str]:
    values = propose(Form("f", fields, ()), "valid", APP, attempt=attempt)
    assert values is not None
    return values


def only(*fields: Element, attempt: int = 0) -> str | None:
    return next(iter(valid(*fields, attempt=attempt).values()), None)


@pytest.mark.parametrize(
    "given,pattern",
    [
        ({"kind": "email"}, r"quill\d+@example\.org"),
        ({"kind": "url"}, r"https://example\.org/quill\d+"),
        ({"kind": "tel"}, r"\d+"),
        ({"kind": "date"}, r"2027-01-17"),
        ({"kind": "datetime-local"}, r"2027-01-17T10:30"),
        ({"kind": "month"}, r"2027-01"),
        ({"kind": "number"}, r"17"),
        ({"kind": "number", "limits": "min=1;max=5"}, r"5"),
        ({"kind": "number", "limits": "min=100"}, r"101"),
        ({"value": "12.50"}, r"17"),
        ({"field": "total_price"}, r"17"),
        ({"limits": "inputmode=decimal"}, r"17"),
        ({"field": "website"}, r"https://example\.org/quill\d+"),
        ({"field": "contact_email"}, r"quill\d+@example\.org"),
        ({"kind": "search"}, r"a"),
        ({}, r"Quill0"),
        ({"limits": "maxlength=3"}, r"Qui"),
        ({"limits": "pattern=[a-z0-9]+"}, r"quill0"),
        ({"kind": "date", "limits": "min=2027-02-01"}, r"2027-02-01"),
        ({"kind": "date", "limits": "max=2026-12-31"}, r"2026-12-31"),
    ],
)
def test_values_fit_their_fields(given: dict[str, object], pattern: str) -> None:
    value = only(field(str(given.pop("field", "thing")), **given))
    assert value is not None
    assert re.fullmatch(pattern, value)


@pytest.mark.parametrize(
    "day",
    [
        *("2027-02-01", "2027-02-01 10:30", "1/2/27", "01.02.2027", "2027年2月1日", "10:30", "9:05 PM"),
        *("Feb 1, 2027", "1. Februar 2027", "1 de febrero de 2027"),
    ],
)
def test_a_day_that_is_written_as_text_stays(day: str) -> None:
    assert only(field("from", value=day)) == day


@pytest.mark.parametrize("words", ["Tools 12", "Room 4, 2027 and later", "1/2", "2027", "May"])
def test_words_with_numbers_do_not(words: str) -> None:
    assert only(field("from", value=words)) != words


def test_fields_of_one_form_get_different_values() -> None:
    values = valid(field("one"), field("two"), field("three"))
    assert len(set(values.values())) == 3
    assert all(SENTINEL.fullmatch(value) for value in values.values())


def test_another_option_than_the_preset_is_chosen_until_that_is_refused() -> None:
    options = (
        Option(value="", label="-"),
        Option(value="a", label="A", selected=True),
        Option(value="b", label="B"),
    )
    choice = field("kind", editable=False, options=options)
    assert only(choice) == "b"
    assert valid(choice, attempt=1) == {}


def test_only_what_is_needed_is_filled_in_in_the_last_attempt() -> None:
    free = (field("text"), field("site", kind="url"), field("code", password=True))
    assert list(valid(*free, attempt=3)) == ["text", "code"]
    asked = (field("text"), field("site", kind="url", required=True))
    assert list(valid(*asked, attempt=3)) == ["site"]


def test_who_asks_for_a_picture_gets_one() -> None:
    given = valid(field("photo", kind="file", limits="accept=image/*"))["photo"]
    with Image.open(BytesIO(given.encode())) as image:
        image.load()
    assert image.format == "GIF"
    assert valid(field("photo", kind="file", limits="accept=.csv"))["photo"].startswith("name,amount")
    assert valid(field("photo", kind="file"))["photo"].startswith("name,amount")


def test_free_text_becomes_a_number_in_a_later_attempt() -> None:
    assert only(field("thing"), attempt=2) == "17"
    assert only(field("thing", value="old words"), attempt=2) == "Quill0"


def test_passwords_are_secrets_where_the_app_has_them() -> None:
    assert only(field("code", password=True)) == "{secret:code}"
    assert valid(field("other", password=True)) == {}
    assert only(field("other", password=True, required=True)) == "Quill-17-pass"


def test_boxes_are_turned_and_groups_keep_their_marks() -> None:
    box = field("ok", editable=False, checkable=True, role="checkbox", kind="checkbox")
    ticked = box.model_copy(update={"checked": True})
    assert only(box) == "true"
    assert only(ticked) == "false"
    assert valid(ticked.model_copy(update={"required": True})) == {}
    assert valid(ticked, ticked.model_copy(update={"key": "ok2"})) == {}
    assert only(box, box.model_copy(update={"key": "ok2"})) == "true"


def test_boundaries_and_mistakes_exist_only_where_there_are_rules() -> None:
    free = Form("f", (field("note"),), ())
    assert propose(free, "boundary", APP) is None
    assert propose(free, "invalid", APP) is None
    assert propose(free, "untouched", APP) == {}
    ruled = Form("f", (field("name", required=True), field("n", kind="number", limits="max=9")), ())
    assert propose(ruled, "boundary", APP) == {"name": "Quill0", "n": "9"}
    assert propose(ruled, "invalid", APP) == {"name": "", "n": "9"}
    typed = Form("f", (field("mail", kind="email"),), ())
    assert propose(typed, "invalid", APP) == {"mail": "quill"}


def test_one_parameter_alone_takes_the_secrets_along() -> None:
    form = Form("f", (field("name"), field("place"), field("code", password=True)), ())
    assert single(form, "place", APP) == {"place": "Quill1", "code": "{secret:code}"}

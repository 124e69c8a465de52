import re
from datetime import date

import pytest

from pipeline.stages.values import Field, value_for
from schemas.capability import Choice, Parameter, ParameterKind
from schemas.task import Value


def ask(
    kind: ParameterKind, lang: str = "en", *, group: str = "tg", about: str = "", **more: object
) -> Value:
    value = maybe(kind, lang, group=group, about=about, **more)
    assert value is not None
    return value


def maybe(
    kind: ParameterKind, lang: str = "en", *, group: str = "tg", about: str = "", **more: object
) -> Value | None:
    avoid = more.pop("avoid", ())
    known = more.pop("known", ())
    parameter = Parameter.model_validate({"name": "field", "label": "Field", "kind": kind, **more})
    field = Field(parameter, lang, about=about, known=tuple(known))  # type: ignore[arg-type]
    return value_for(field, seed=7, group=group, avoid=avoid)  # type: ignore[arg-type]


GROUPS = [f"tg_{number}" for number in range(40)]


def test_the_same_seed_group_and_parameter_give_the_same_value() -> None:
    for kind in ParameterKind:
        if kind not in {ParameterKind.CHOICE, ParameterKind.FILE}:
            assert ask(kind) == ask(kind)
    assert len({ask(ParameterKind.TEXT, group=group).value for group in GROUPS}) > 5


@pytest.mark.parametrize(
    "limits, low, high",
    [
        ("min=5;max=50", 5, 50),
        ("max=3", 1, 3),
        ("min=100", 100, 10_000),
        ("", 1, 100),
        ("min=-5;max=-1", -5, -1),
    ],
)
def test_numbers_stay_inside_their_limits(limits: str, low: int, high: int) -> None:
    for group in GROUPS:
        assert low <= int(ask(ParameterKind.NUMBER, group=group, limits=limits).value) <= high


def test_numbers_keep_to_the_step() -> None:
    halves = {ask(ParameterKind.NUMBER, group=group, limits="min=0;max=2;step=0.5").value for group in GROUPS}
    assert halves <= {"0", "0.5", "1", "1.5", "2"}
    assert len(halves) > 2


def test_amounts_have_cents_that_no_rounding_hides() -> None:
    for group in GROUPS:
        assert re.fullmatch(r"\d+\.\d[1-9]", ask(ParameterKind.AMOUNT, group=group).value)


def test_days_are_written_as_the_field_writes_them() -> None:
    plain = ask(ParameterKind.DATE, preset="2027-02-01").value
    assert 0 < (date(2027, 2, 1) - date.fromisoformat(plain)).days < 28
    assert re.fullmatch(r"\d\d\.\d\d\.\d{4}", ask(ParameterKind.DATE, accepted=("17.01.2027",)).value)


def test_numbers_days_and_choices_agree_between_languages() -> None:
    choices = (Choice(value="", label="-"), *(Choice(value=str(n), label=f"N{n}") for n in range(9)))
    for group in GROUPS:
        for kind in (ParameterKind.NUMBER, ParameterKind.AMOUNT, ParameterKind.DATE, ParameterKind.EMAIL):
            assert ask(kind, "en", group=group).value == ask(kind, "zh-Hans", group=group).value
        english = ask(ParameterKind.CHOICE, "en", group=group, choices=choices, preset="3")
        assert (
            english.value
            == ask(ParameterKind.CHOICE, "zh-Hans", group=group, choices=choices, preset="3").value
        )
        assert english.value not in {"", "3"}
        assert english.shown == f"N{english.value}"


def test_texts_are_in_the_language_and_about_the_field() -> None:
    for group in GROUPS:
        english = ask(ParameterKind.TEXT, "en", group=group, about="Add a bill").value
        chinese = ask(ParameterKind.TEXT, "zh-Hans", group=group, about="添加一个账单").value
        assert english.isascii()
        assert re.fullmatch(r"[一-鿿]+", chinese)
    assert ask(ParameterKind.LONG_TEXT, "en").value.endswith(".")


def test_people_have_names_of_their_language() -> None:
    assert ask(ParameterKind.NAME, "en", about="Add participant").value.isalpha()
    assert re.fullmatch(r"[一-鿿]{2,4}", ask(ParameterKind.NAME, "zh-Hans", about="添加成员").value)


def test_a_language_without_lists_still_gets_a_text() -> None:
    assert ask(ParameterKind.TEXT, "de").value
    assert ask(ParameterKind.NAME, "xx").value


def test_values_differ_from_the_preset_and_from_what_is_displayed() -> None:
    for group in GROUPS:
        first = ask(ParameterKind.TEXT, group=group, about="bill").value
        second = ask(ParameterKind.TEXT, group=group, about="bill", avoid=(f"2027 {first} 12.00",)).value
        third = ask(ParameterKind.TEXT, group=group, about="bill", preset=first).value
        assert first not in {second, third}


def test_limits_on_length_and_pattern_hold() -> None:
    for group in GROUPS:
        assert len(ask(ParameterKind.TEXT, group=group, limits="maxlength=10").value) <= 10
    assert maybe(ParameterKind.TEXT, limits="pattern=[0-9]{4}") is None


def test_a_search_is_for_something_that_is_there() -> None:
    assert ask(ParameterKind.QUERY, known=("Groceries", "Cinema")).value in {"Groceries", "Cinema"}


def test_a_flag_is_turned_and_a_choice_without_others_is_given_up() -> None:
    flag = ask(ParameterKind.FLAG, "zh-Hans", preset="false")
    assert (flag.value, flag.shown) == ("true", "开启")
    assert ask(ParameterKind.FLAG, preset="true").value == "false"
    only = (Choice(value="a", label="A"),)
    assert maybe(ParameterKind.CHOICE, choices=only, preset="a") is None


def test_no_value_holds_quotes_or_markup() -> None:
    for kind in ParameterKind:
        if kind not in {ParameterKind.CHOICE, ParameterKind.FILE}:
            for lang in ("en", "zh-Hans"):
                assert not re.search(r"[\"'<>`“”]", ask(kind, lang).shown)

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.verdicts.matchers import amounts, dates, holds, items, normal, numbers, same


def test_text_is_compared_composed_casefolded_and_with_single_spaces() -> None:
    assert normal("  Cafe\u0301\u00a0 STRASSE\u200b ") == "café strasse"
    assert same("Straße", "STRASSE", "string")
    assert not same("Bob", "Rob", "string")


@pytest.mark.parametrize(
    "text, readings",
    [
        ("12", {12}),
        ("12.50", {12.5}),
        ("12,50", {12.5}),
        ("1,234.50", {1234.5}),
        ("1.234,50", {1234.5}),
        ("1,234", {1234, 1.234}),
        ("1,234,567", {1234567}),
        ("1 234,5", {1234.5}),
        ("−3", {-3}),
        ("007", set()),
        ("0.5", {0.5}),
        ("12 apples", set()),
        ("1,23,4", set()),
        ("", set()),
    ],
)
def test_numbers_have_every_reading_that_is_possible(text: str, readings: set[float]) -> None:
    assert numbers(text) == {Decimal(str(value)) for value in readings}


def test_numbers_are_equal_by_value() -> None:
    assert same("10", "10.00")
    assert same("10.5", "10,50", "number")
    assert not same("10", "100")
    assert not same("007", "7")


@pytest.mark.parametrize(
    "expected, found, equal",
    [
        ("2027-02-01", "2027/2/1", True),
        ("2027-02-01", "2027年2月1日", True),
        ("2027-02-01", "01.02.2027", True),
        ("2027-02-01", "Feb 1, 2027", True),
        ("2027-02-01", "1 February 2027", True),
        ("2027-02-01", "2027-02-02", False),
        ("2027-02-30", "2027-02-30", False),
    ],
)
def test_dates_are_equal_as_days(expected: str, found: str, *, equal: bool) -> None:
    assert same(expected, found, "date") is equal


def test_a_date_whose_order_is_unknown_has_both_readings() -> None:
    assert dates("3/4/2027") == {date(2027, 3, 4), date(2027, 4, 3)}
    assert dates("13/4/2027") == {date(2027, 4, 13)}


def test_money_is_equal_when_no_named_currencies_differ() -> None:
    assert same("€12.50", "12,50 EUR", "currency")
    assert same("12.5", "$12.50", "currency")
    assert not same("€12.50", "$12.50", "currency")
    assert not same("€12.50", "€12.60", "currency")
    assert amounts("¥3") == {(Decimal(3), "JPY"), (Decimal(3), "CNY")}


def test_lists_are_equal_in_any_order_and_with_repetitions_counted() -> None:
    assert items("Bob, Ann；Li、") == ("bob", "ann", "li")
    assert same("Bob, Ann", "ann;bob", "list")
    assert not same("Bob, Ann", "Ann, Ann, Bob", "list")


def test_truth_is_known_in_several_spellings_and_otherwise_never_equal() -> None:
    assert same("true", "On", "bool")
    assert same("是", "yes", "bool")
    assert not same("true", "off", "bool")
    assert not same("perhaps", "perhaps", "bool")


def test_a_sequence_of_expectations_are_alternatives() -> None:
    assert same(["Bob", "Robert"], "robert")
    assert not same(["Bob", "Robert"], "Rob")


@pytest.mark.parametrize(
    "line, text, held",
    [
        ("Dinner with Ann", "dinner", True),
        ("Dinners", "Dinner", False),
        ("Grandinner Dinner", "Dinner", True),
        ("已添加账单晚餐", "晚餐", True),
        ("total: 10.00 €", "10", True),
        ("total: 110", "10", False),
        ("2010-10-10x", "10", False),
        ("room 12, floor 3", "3", True),
        ("共3个", "3", True),
        ("Ann (x34.1)", "34.1", True),
        ("5kg", "5", True),
        ("3fa9c2", "3", False),
        ("bill42", "42", False),
        ("2027-02-10", "2", False),
        ("at 10:30", "30", False),
        ("-3.50 left", "-3.5", True),
        ("1,234.50", "1234.5", True),
        ("a", "", False),
    ],
)
def test_lines_hold_whole_words_and_numbers_by_value(line: str, text: str, *, held: bool) -> None:
    assert holds(line, text) is held


@given(st.text())
def test_normal_is_stable(text: str) -> None:
    assert normal(normal(text)) == normal(text)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9))
def test_every_plain_number_reads_as_itself(value: Decimal) -> None:
    assert value in numbers(f"{value}")
    assert holds(f"it costs {value} today", f"{value}")

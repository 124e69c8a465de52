from pipeline.commands.reached import Reached
from schemas.graph import Coverage

NUMBERS = Coverage(
    states=5, transitions=8, clickables=12, clickables_tried=9, forms=2, forms_tried=1, routes=("GET /",)
)


def test_a_crawl_ends_with_one_line_for_each_app_and_language() -> None:
    words = Reached(app="purse", lang="en", coverage=NUMBERS).words
    assert words == ("purse en: 5 states, 8 transitions, 9 of 12 clickables, 1 of 2 forms, 1 routes")


def test_routes_are_told_beside_those_that_the_app_lists() -> None:
    listed = NUMBERS.model_copy(update={"routes_reached": 0, "routes_known": 4})
    words = Reached(app="purse", lang="en", coverage=listed).words
    assert words.endswith(", 1 routes (0 of the 4 that it lists)")


def test_lines_are_told_where_they_were_counted() -> None:
    counted = NUMBERS.model_copy(update={"lines": 0, "statements": 90})
    words = Reached(app="purse", lang="en", coverage=counted).words
    assert words.endswith(", 0 lines of its own code (of 90 in their files)")

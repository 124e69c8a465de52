from __future__ import annotations

from crawlers.offers import offers
from crawlers.scripted import scripted_app
from pipeline.corpus.untried import LABELS, LeftOut, left_out
from schemas.graph import Untried
from schemas.screen import Quality, State


def untried(reason: str, label: str) -> Untried:
    return Untried(state="st_1", key=label, label=label, reason=reason)


def test_reasons_are_said_in_words_the_most_frequent_first() -> None:
    found = left_out(
        [
            untried("off_app", "Docs"),
            untried("budget", "Add"),
            untried("budget", "Add"),
            untried("odd_one", ""),
        ]
    )
    assert found == (
        LeftOut("the budget was used up before", 2, ("Add",)),
        LeftOut("it leads out of the app", 1, ("Docs",)),
        LeftOut("odd one", 1, ()),
    )
    assert [each.more for each in found] == [1, 0, 1]


def test_only_some_are_named() -> None:
    (many,) = left_out([untried("budget", f"Button {place}") for place in range(LABELS + 5)])
    assert (many.count, len(many.labels), many.more) == (LABELS + 5, LABELS, 5)


def test_reasons_that_crawls_give_have_words() -> None:
    """A screen that cannot be read gives its quality for a reason."""
    blank = State(id="st", structure="sc", app="a", lang="en", address="/", route="/", title="T", elements=(),
                  width=1, height=1, quality=Quality.BLANK)  # fmt: skip
    (given,) = (each for each in offers(blank, scripted_app()) if isinstance(each, Untried))
    assert left_out([given])[0].why == "the screen is blank"

"""What is saved belongs to the action that answered the file chooser, so that answer must be known."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crawlers.desktop.driver import _chooses
from crawlers.desktop.raw import RawScreen
from crawlers.desktop.sight import Sight
from crawlers.desktop.tree import sight_of
from schemas.action import Action, Click, Press, Target, Type
from schemas.screen import Element


@pytest.fixture
def saving(screen: Callable[[str], RawScreen]) -> Sight:
    return sight_of(screen("save-as.en"))


def called(sight: Sight, label: str, role: str = "button") -> Target:
    def is_it(element: Element) -> bool:
        return element.label == label and element.role == role and element.visible

    return Target.of(next(filter(is_it, sight.elements)))


def test_enter_a_double_click_and_the_buttons_at_its_foot_answer_a_file_chooser(saving: Sight) -> None:
    name, row = called(saving, "Name", "textbox"), called(saving, "Documents", "cell")
    answers: tuple[Action, ...] = (
        Press(keys=("Enter",)),
        Type(target=name, text="a", submit_after=True),
        Click(target=called(saving, "Save As")),
        Click(target=called(saving, "Cancel")),
        Click(target=row, count=2),
    )
    others: tuple[Action, ...] = (
        Press(keys=("Tab",)),
        Type(target=name, text="a"),
        Click(target=row),
        Click(target=called(saving, "home")),
    )
    assert [_chooses(action, saving) for action in answers] == [True] * len(answers)
    assert [_chooses(action, saving) for action in others] == [False] * len(others)


def test_where_no_files_are_chosen_nothing_is_waited_for(screen: Callable[[str], RawScreen]) -> None:
    assert not _chooses(Press(keys=("Enter",)), sight_of(screen("l3afpad.en")))

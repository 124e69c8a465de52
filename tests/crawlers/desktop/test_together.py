"""Two programs in one session: either can be acted on, and one that dies is noticed whichever it is."""

from __future__ import annotations

import pytest

from crawlers.desktop.host import DesktopHost
from crawlers.driver import DriverError
from schemas.action import Click, Press, Target, Type
from schemas.app import App, Program
from schemas.screen import Element, State


def place(state: State, key: str) -> Element:
    return next(each for each in state.elements if each.key == key)


def called(state: State, program: str, label: str) -> Target:
    found = (each for each in state.elements if each.key.startswith(f"{program}/"))
    return Target.of(next(each for each in found if each.label == label and each.visible))


@pytest.mark.slow
def test_what_is_copied_in_one_is_pasted_in_the_other_and_either_one_s_death_is_a_crash(odd: App) -> None:
    assert odd.desktop is not None
    other = Program(name="other", toolkit="gtk3", launch=odd.desktop.launch)
    both = odd.model_copy(update={"desktop": odd.desktop.model_copy(update={"also": (other,)})})
    with DesktopHost(both, "en") as host:
        driver = host.driver()
        first = driver.observe()
        one, two = (Target.of(place(first, f"{name}/window/textbox")) for name in ("python3", "other"))
        left, right = (place(first, target.key).box for target in (one, two))
        assert left is not None
        assert right is not None
        assert left.x2 <= first.width // 2 + 1 < right.x2, "each has its half of the screen"
        assert right.x1 >= first.width // 2
        driver.perform(Type(target=two, text="handed over"))
        driver.perform(Press(keys=("Control", "a"), target=two))
        driver.perform(Press(keys=("Control", "x")))
        driver.perform(Press(keys=("Control", "v"), target=one))
        state = driver.observe()
        assert [place(state, target.key).value for target in (one, two)] == ["handed over", ""]
        with pytest.raises(DriverError) as caught:
            driver.perform(Click(target=called(state, "other", "Crash")))
        assert caught.value.kind == "crashed"
        assert "other" in str(caught.value)

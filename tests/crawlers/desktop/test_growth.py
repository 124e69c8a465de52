import pytest

from crawlers.desktop.growth import CAP_S, STEADY_S, Growth
from crawlers.desktop.raw import RawNode, RawScreen
from crawlers.desktop.session import check_accessible
from crawlers.host import HostError
from schemas.app import App


def screen(size: int) -> RawScreen:
    nodes = tuple(RawNode(parent=index - 1, role="frame") for index in range(size))
    return RawScreen(toolkit="Chromium", version="120", nodes=nodes, windows=(), width=800, height=600)


def test_a_first_read_of_the_window_alone_is_not_believed() -> None:
    growth = Growth()
    sizes = [(0.0, 1), (0.1, 1), (0.5, 155), (0.6, 155), (0.5 + STEADY_S, 155)]
    assert [growth.whole(size, now=now, quiet_s=9) for now, size in sizes] == [False] * 4 + [True]
    assert growth.reads == len(sizes)


def test_a_tree_that_stays_bare_is_waited_for_and_given_up() -> None:
    growth = Growth()
    assert not growth.whole(1, now=0.0, quiet_s=9)
    assert not growth.whole(1, now=CAP_S, quiet_s=9)
    assert growth.whole(1, now=CAP_S + 1, quiet_s=9)


def test_a_program_that_never_falls_silent_is_waited_for_and_believed() -> None:
    growth = Growth()
    growth.whole(50, now=0.0, quiet_s=0)
    assert not growth.whole(50, now=1.0, quiet_s=0)
    assert growth.whole(50, now=CAP_S + 1, quiet_s=0)


def test_a_window_with_nothing_in_it_has_its_accessibility_turned_off(notes: App) -> None:
    check_accessible(notes, screen(3))
    with pytest.raises(HostError, match=r"^accessibility_not_enabled: Notes \(Chromium\) .*accessibility"):
        check_accessible(notes, screen(1))

import fcntl
import socket
from contextlib import closing
from pathlib import Path

import pytest

from crawlers import cache
from crawlers.host import HostError
from crawlers.web import slot as module
from crawlers.web.slot import Slot


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path))


def test_the_same_names_get_the_same_port_and_folder_again() -> None:
    first = Slot.take("app", "en")
    (first.folder / "left").write_text("over")
    known = (first.port, first.folder)
    first.release()
    assert not first.folder.exists()
    first.release()
    second = Slot.take("app", "en")
    assert (second.port, second.folder) == known
    second.release()


def test_a_slot_in_use_is_passed_over() -> None:
    first, second = Slot.take("app", "en"), Slot.take("app", "en")
    assert first.port != second.port
    assert first.folder != second.folder
    first.release()
    second.release()


def test_a_port_in_use_is_passed_over() -> None:
    slot = Slot.take("app", "en")
    port = slot.port
    slot.release()
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        other = Slot.take("app", "en")
        assert other.port != port
        other.release()


def test_what_a_killed_holder_left_is_removed() -> None:
    slot = Slot.take("app", "en")
    (slot.folder / "left").write_text("over")
    fcntl.flock(slot._lock, fcntl.LOCK_UN)  # as the kernel does when the holder is killed
    again = Slot.take("app", "en")
    assert again.folder == slot.folder
    assert list(again.folder.iterdir()) == []
    again.release()
    slot._lock.close()


def test_it_gives_up_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TRIES", 1)
    slot = Slot.take("app", "en")
    with pytest.raises(HostError, match=r"1 ports from .* are taken"):
        Slot.take("app", "en")
    slot.release()


def test_ports_lie_below_those_that_the_kernel_hands_out() -> None:
    slot = Slot.take("app", "en")
    assert 20_000 <= slot.port < 30_000
    assert slot.folder.is_relative_to(cache.root())
    slot.release()

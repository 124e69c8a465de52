import threading
from pathlib import Path

import pytest

from crawlers import cache


def test_a_folder_is_built_once(tmp_path: Path) -> None:
    builds: list[Path] = []

    def build(folder: Path) -> None:
        builds.append(folder)
        (folder / "made").touch()

    for _ in range(2):
        assert (cache.once(tmp_path / "a" / "b", build) / "made").exists()
    assert builds == [tmp_path / "a" / "b"]


def test_a_build_that_failed_is_made_again_from_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        cache.once(tmp_path / "a", fail)
    seen: list[list[Path]] = []
    cache.once(tmp_path / "a", lambda folder: seen.append(list(folder.iterdir())))
    assert seen == [[]]


def test_others_wait_for_the_builder(tmp_path: Path) -> None:
    started, builds = threading.Event(), []

    def build(_: Path) -> None:
        started.set()
        builds.append(1)

    threads = [threading.Thread(target=cache.once, args=(tmp_path / "a", build)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert builds == [1]
    assert started.is_set()


@pytest.mark.parametrize(
    "variables,expected",
    [
        ({"GROUNDSMITH_CACHE": "/a/b"}, "/a/b"),
        ({"XDG_CACHE_HOME": "/a/c"}, "/a/c/groundsmith"),
        ({"HOME": "/a/d"}, "/a/d/.cache/groundsmith"),
    ],
)
def test_where_it_is(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str) -> None:
    for name in ("GROUNDSMITH_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache.root() == Path(expected)

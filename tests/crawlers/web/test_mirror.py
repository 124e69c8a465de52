import os
from collections.abc import Callable
from pathlib import Path

import pytest

from crawlers.web.mirror import Mirror


def tree(folder: Path) -> dict[str, str | None]:
    return {
        str(path.relative_to(folder)): (
            str(path.readlink()) if path.is_symlink() else None if path.is_dir() else path.read_text()
        )
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def mirror(tmp_path: Path) -> Mirror:
    source = tmp_path / "source"
    (source / "pages" / "deep").mkdir(parents=True)
    (source / "empty").mkdir()
    (source / "a.db").write_text("one")
    (source / "pages" / "start.txt").write_text("welcome")
    (source / "pages" / "deep" / "b.txt").write_text("b")
    (source / "link").symlink_to("a.db")
    return Mirror(source, tmp_path / "target")


def test_the_target_starts_as_a_copy(mirror: Mirror) -> None:
    assert tree(mirror._target) == tree(mirror._source)
    assert mirror.restore() == 0


def overwrite(target: Path) -> None:
    (target / "a.db").write_text("two")


def overwrite_and_set_the_time_back(target: Path) -> None:
    before = (target / "a.db").stat()
    (target / "a.db").write_text("two")
    os.utime(target / "a.db", ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(target: Path) -> None:
    (target / "new").write_text("new")
    (target / "new").rename(target / "a.db")


def delete(target: Path) -> None:
    (target / "a.db").unlink()
    (target / "pages" / "deep" / "b.txt").unlink()
    (target / "pages" / "deep").rmdir()


def add(target: Path) -> None:
    (target / "more" / "and more").mkdir(parents=True)
    (target / "more" / "and more" / "c.txt").write_text("c")
    (target / "a.db-journal").write_text("hot")


def change_kinds(target: Path) -> None:
    (target / "a.db").unlink()
    (target / "a.db").mkdir()
    (target / "a.db" / "inside").write_text("x")
    (target / "empty").rmdir()
    (target / "empty").write_text("a file now")
    (target / "link").unlink()
    (target / "link").write_text("no link any more")


def point_elsewhere(target: Path) -> None:
    (target / "link").unlink()
    (target / "link").symlink_to("pages")


def close_to_others(target: Path) -> None:
    (target / "a.db").chmod(0o600)
    (target / "pages").chmod(0o700)


@pytest.mark.parametrize(
    "harm",
    [
        overwrite,
        overwrite_and_set_the_time_back,
        replace,
        delete,
        add,
        change_kinds,
        point_elsewhere,
        close_to_others,
    ],
)
def test_whatever_was_done_is_undone(mirror: Mirror, harm: Callable[[Path], None]) -> None:
    modes = {path.name: path.stat().st_mode for path in mirror._target.rglob("*")}
    for _ in range(2):
        harm(mirror._target)
        assert mirror.restore() > 0
        assert tree(mirror._target) == tree(mirror._source)
        assert {path.name: path.stat().st_mode for path in mirror._target.rglob("*")} == modes
    assert mirror.restore() == 0


def test_only_what_was_touched_is_copied(mirror: Mirror) -> None:
    untouched = (mirror._target / "pages" / "start.txt").stat()
    overwrite(mirror._target)
    assert mirror.restore() == 1
    assert (mirror._target / "pages" / "start.txt").stat().st_ctime_ns == untouched.st_ctime_ns


def test_an_open_file_keeps_what_it_had(mirror: Mirror) -> None:
    overwrite(mirror._target)
    with (mirror._target / "a.db").open() as reader:
        mirror.restore()
        assert reader.read() == "two"
    assert (mirror._target / "a.db").read_text() == "one"

"""What an App's server keeps, and what became of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from crawlers.web import tables
from crawlers.web.mirror import Mirror
from crawlers.web.records import Records
from schemas.effect import DataChange


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    (data / "pages").mkdir(parents=True)
    (data / "pages" / "start.txt").write_text("welcome")
    do(
        data,
        "CREATE TABLE bill (id INTEGER PRIMARY KEY, what TEXT, amount REAL)",
        "CREATE TABLE tag (bill INTEGER, name TEXT)",
        "CREATE TABLE session (token TEXT PRIMARY KEY, seen INTEGER)",
        "CREATE TABLE user (name TEXT PRIMARY KEY, last_login INTEGER, mail TEXT)",
        "INSERT INTO bill VALUES (1, 'Boat', 120), (2, 'Wood', 45.5)",
        "INSERT INTO tag VALUES (1, 'fun'), (1, 'fun')",
        "INSERT INTO user VALUES ('demo', 1, 'a@example.com')",
    )
    return data


def do(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "app.db")) as base:
        for statement in statements:
            base.execute(statement)
        base.commit()


def changed(table: str, **how: object) -> DataChange:
    return DataChange.model_validate({"store": "app.db", "table": table, **how})


def test_rows_are_told_by_table_and_what_changed_in_them(folder: Path) -> None:
    records = Records(folder)
    assert records.changes() == ()
    do(
        folder,
        "INSERT INTO bill VALUES (3, 'Train', 96)",
        "UPDATE bill SET amount = 130, what = 'Boat rental' WHERE id = 1",
        "DELETE FROM tag WHERE rowid = 1",
    )
    assert records.changes() == (
        changed("bill", inserted=1, updated=1, columns=("what", "amount")),
        changed("tag", deleted=1),
    )
    assert records.changes() == ()


def test_what_is_still_in_the_log_of_a_database_is_told_once(folder: Path) -> None:
    do(folder, "PRAGMA journal_mode = WAL")
    records = Records(folder)
    with closing(sqlite3.connect(folder / "app.db")) as base:
        base.execute("DELETE FROM bill")
        base.commit()
        assert (folder / "app.db-wal").stat().st_size
        assert records.changes() == (changed("bill", deleted=2),)
    assert records.changes() == ()  # the log has been worked into the database


def test_a_locked_database_is_looked_at_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "BUSY_S", 0.01)
    records = Records(folder)
    do(folder, "DELETE FROM bill WHERE id = 1")
    with closing(sqlite3.connect(folder / "app.db", isolation_level=None)) as base:
        base.execute("BEGIN EXCLUSIVE")
        assert records.changes() == ()
        base.execute("ROLLBACK")
    assert records.changes() == (changed("bill", deleted=1),)


def test_files_and_whole_databases_come_change_and_go(folder: Path) -> None:
    records = Records(folder)
    (folder / "pages" / "start.txt").write_text("welcome back")
    (folder / "pages" / "new.txt").write_text("new")
    assert records.changes() == (
        DataChange(store="pages/new.txt", inserted=1),
        DataChange(store="pages/start.txt", updated=1),
    )
    (folder / "pages" / "new.txt").unlink()
    (folder / "app.db").unlink()
    found = records.changes()
    assert DataChange(store="pages/new.txt", deleted=1) in found
    assert changed("bill", deleted=2) in found


def test_what_changes_by_looking_is_left_out(folder: Path) -> None:
    (folder / "cache" / "a").mkdir(parents=True)
    (folder / "cache" / "a" / "start.html").write_text("old")
    (folder / "sessions").mkdir()
    watched = Records(folder)
    do(folder, "INSERT INTO session VALUES ('t1', 1)", "UPDATE user SET last_login = 2")
    (folder / "cache" / "a" / "start.html").write_text("newer")
    (folder / "sessions" / "s1").write_text("")
    records = Records(folder, watched.changes())
    do(
        folder,
        "INSERT INTO session VALUES ('t2', 1)",
        "DELETE FROM session WHERE token = 't1'",
        "UPDATE user SET last_login = 3",
    )
    (folder / "cache" / "b").mkdir()
    (folder / "cache" / "b" / "page.html").write_text("page")
    (folder / "sessions" / "s1").write_text("more")
    (folder / "sessions" / "s2").write_text("")
    assert records.changes() == ()
    do(folder, "UPDATE user SET last_login = 4, mail = 'b@example.com'")
    (folder / "pages" / "start.txt").write_text("edited")
    assert records.changes() == (
        changed("user", updated=1, columns=("mail",)),
        DataChange(store="pages/start.txt", updated=1),
    )


def test_a_restored_folder_begins_anew(folder: Path, tmp_path: Path) -> None:
    mirror = Mirror(folder, tmp_path / "working")
    records = Records(tmp_path / "working")
    do(tmp_path / "working", "DELETE FROM bill")
    assert records.changes() == (changed("bill", deleted=2),)
    mirror.restore()
    records.restored()
    assert records.changes() == ()
    do(tmp_path / "working", "DELETE FROM bill WHERE id = 2")
    assert records.changes() == (changed("bill", deleted=1),)


def test_a_large_table_is_compared_by_its_size(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST", 2)
    records = Records(folder)
    do(folder, "INSERT INTO bill (what) VALUES ('a'), ('b')", "UPDATE user SET mail = ''")
    assert records.changes() == (
        changed("bill", inserted=2),
        changed("user", updated=1, columns=("mail",)),
    )


@pytest.mark.parametrize("statement", ["ALTER TABLE bill ADD paid INTEGER", "DROP TABLE tag"])
def test_a_changed_scheme_is_no_fault(folder: Path, statement: str) -> None:
    records = Records(folder)
    do(folder, statement)
    assert all(change.table in {"bill", "tag"} for change in records.changes())


def words(base: sqlite3.Connection) -> Iterator[str]:
    yield from (name for (name,) in base.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"))


def test_tables_that_serve_a_search_are_left_out(folder: Path) -> None:
    do(folder, "CREATE VIRTUAL TABLE found USING fts5 (what)")
    records = Records(folder)
    do(folder, "INSERT INTO found VALUES ('boat')", "INSERT INTO tag VALUES (2, 'x')")
    with closing(sqlite3.connect(folder / "app.db")) as base:
        assert "found_data" in set(words(base))
    assert records.changes() == (changed("tag", inserted=1),)

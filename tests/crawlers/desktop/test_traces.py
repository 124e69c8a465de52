import os
from pathlib import Path

from crawlers.desktop.traces import snapshot, writes
from schemas.effect import StorageWrite

KEYFILE = ".config/glib-2.0/settings/keyfile"


def put(home: Path, name: str, text: str) -> None:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    # Two writes in one tick of the clock would look like none.
    os.utime(path, ns=(1, len(text) + path.stat().st_mtime_ns % 1000))


def changed(
    home: Path, before: dict[str, str], after: dict[str, str], *noise: str
) -> tuple[StorageWrite, ...]:
    for name, text in before.items():
        put(home, name, text)
    first = snapshot(home)
    for name in before.keys() - after.keys():
        (home / name).unlink()
    for name, text in after.items():
        put(home, name, text)
    return writes(first, snapshot(home, first), noise)


def test_a_new_file_is_named_by_its_folder_and_ending_and_told_by_its_value(tmp_path: Path) -> None:
    (write,) = changed(tmp_path, {}, {"Documents/plan.txt": "你好"})
    assert write.signature == "file Documents/*.txt"
    assert write.value == "plan.txt\n你好"


def test_a_file_that_was_there_keeps_its_name(tmp_path: Path) -> None:
    (write,) = changed(tmp_path, {"Documents/plan.txt": "a"}, {"Documents/plan.txt": "ab"})
    assert (write.signature, write.value) == ("file Documents/plan.txt", "ab")
    (gone,) = changed(tmp_path, {}, {}) or changed(tmp_path, {"x.txt": "a"}, {})
    assert gone.removed


def test_settings_are_compared_by_name_and_value(tmp_path: Path) -> None:
    before = {KEYFILE: "[org/example/view]\nwrap=false\nfont='Mono'\n"}
    after = {KEYFILE: "[org/example/view]\nwrap=true\nfont='Mono'\n"}
    (write,) = changed(tmp_path, before, after)
    assert write == StorageWrite(area="setting", key="org/example/view/wrap", value="true")


def test_settings_of_other_files_carry_the_file(tmp_path: Path) -> None:
    (write,) = changed(tmp_path, {}, {".config/thing/thing.conf": "[General]\ntheme=dark\n"})
    assert write.signature == "setting .config/thing/thing.conf:General/theme"


def test_what_programs_write_by_themselves_is_left_out(tmp_path: Path) -> None:
    noise = {
        ".cache/thumb": "x",
        ".config/dconf/user": "x",
        "Documents/.~lock.plan.ods#": "x",
        ".config/thing/thing.conf": "[Window]\nwindow-width=800\ntab-width=4\n",
    }
    (write,) = changed(tmp_path, {}, noise, "file Documents/.*lock")
    assert write.key == ".config/thing/thing.conf:Window/tab-width"


def test_files_that_are_no_text_are_seen_to_change(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    first = snapshot(tmp_path)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xff")
    (write,) = writes(first, snapshot(tmp_path, first), ())
    assert (write.signature, write.value) == ("file picture.png", "")

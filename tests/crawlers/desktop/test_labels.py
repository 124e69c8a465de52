import pytest

from crawlers.desktop.labels import clean


@pytest.mark.parametrize(
    "given, read",
    [
        ("新建(N)      ", "新建"),
        ("文件（F）", "文件"),
        ("打开(_O)...", "打开..."),
        ("Open...\tCtrl+O", "Open..."),
        ("&File", "File"),
        ("_Edit", "Edit"),
        ("Salt & Pepper", "Salt & Pepper"),
        ("f(xy)", "f(xy)"),
        ("  two   words ", "two words"),
        ("\u200eملف", "ملف"),
        ("snake_case", "snake_case"),
        ("\ufffc (Full Moon)", "(Full Moon)"),
    ],
)
def test_accelerators_and_padding_are_no_part_of_a_label(given: str, read: str) -> None:
    assert clean(given) == read


def test_what_a_toolkit_says_twice_or_in_place_of_a_name_is_dropped() -> None:
    assert clean("7 7", echoes=True) == "7"
    assert clean("New York New York", echoes=True) == "New York"
    assert clean("添加时钟(A) 添加时钟", echoes=True) == "添加时钟"
    assert clean("GtkButton", echoes=True) == ""
    assert clean("EditorSourceView", echoes=True) == ""
    assert clean("LibreOffice", echoes=True) == "LibreOffice"
    assert clean("7 7") == "7 7"
    assert clean("GtkButton") == "GtkButton"

from __future__ import annotations

import pytest

from pipeline.errors import ConfigError
from pipeline.text.language import normalise_tag, speaks


@pytest.mark.parametrize(
    "text, lang",
    [
        ("打开蓝牙", "zh-Hans"),
        ("就了快速大幅", "zh-Hans"),
        ("同志社大学", "ja"),
        ("同志社大学", "zh-Hans"),
        ("設定を開く", "ja"),
        ("設定語言", "zh-Hant"),
        ("添加账单“Dinner at the harbour”，金额 42", "zh-Hans"),
        ("将语言设置为 Deutsch。", "zh-Hans"),
        ("Open the “添加账单” page.", "en"),
        ("Settings", "de"),
        ("Удалить заметку", "ru"),
        ("เพิ่ม", "th"),
        ("42", "fr"),
    ],
)
def test_a_text_is_believed_to_be_in_its_language(text: str, lang: str) -> None:
    assert speaks(text, lang).ok


@pytest.mark.parametrize(
    "text, lang, detected",
    [
        ("Add a bill for the whole family tomorrow", "zh-Hans", "en"),
        ("删除所有账单", "en", "zh"),
        ("Füge eine Rechnung für das Abendessen hinzu", "en", "de"),
        ("設定語言", "zh-Hans", "zh-Hant"),
        ("设置语言", "zh-Hant", "zh-Hans"),
        ("設定を開く", "zh-Hans", "ja"),
        ("설정 열기", "zh-Hans", "ko"),
        ("“添加”", "en", "zh"),
    ],
)
def test_another_language_is_noticed(text: str, lang: str, detected: str) -> None:
    assert speaks(text, lang)[:2] == (False, detected)


def test_values_of_another_language_can_be_left_out() -> None:
    text = "删除 Supermarket shopping for the holidays"

    assert not speaks(text, "zh-Hans").ok
    assert speaks(text, "zh-Hans", apart_from=["Supermarket shopping for the holidays"]).ok


def test_short_latin_text_never_contradicts_what_was_declared() -> None:
    assert speaks("Speichern", "en") == (True, "en", speaks("Speichern", "en").confidence)


@pytest.mark.parametrize(
    "given, tag",
    [("zh_hans", "zh-Hans"), ("EN", "en"), (" pt-br ", "pt-BR"), ("zh-hans-cn", "zh-Hans-CN")],
)
def test_a_tag_is_written_one_way(given: str, tag: str) -> None:
    assert normalise_tag(given) == tag


@pytest.mark.parametrize("given", ["klingon", "xx", "", "e", "en-", "../en"])
def test_an_unknown_tag_is_one_sentence(given: str) -> None:
    with pytest.raises(ConfigError, match="write a tag such as en") as raised:
        normalise_tag(given)
    assert "\n" not in str(raised.value)

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.duplicates import jaccard, near_duplicates, shingles


def test_case_spaces_and_punctuation_do_not_count() -> None:
    found = near_duplicates(["Set the alarm to 7:00.", "set the  alarm to 7.00!", "打开蓝牙", "打开蓝牙。"])

    assert [(pair.later, pair.earlier, pair.similarity) for pair in found] == [(1, 0, 1.0), (3, 2, 1.0)]


def test_other_words_are_no_duplicates() -> None:
    assert not near_duplicates(
        ["打开蓝牙", "删除所有账单", "أضف فاتورة جديدة", "مرحبا بالعالم", "Set alarm 7:00", "Set alarm 7:30"]
    )


def test_chinese_is_compared_by_pairs_of_characters() -> None:
    assert shingles("打开 蓝牙") == {"打开", "开蓝", "蓝牙"}
    assert shingles("Open it") == {"open", "pen ", "en i", "n it"}


def test_a_long_text_with_one_word_changed_is_found_among_many() -> None:
    texts = [f"Add the bill number {n} for the {n * 7}th dinner of the season {n * 31}" for n in range(200)]
    copy = "Please add the bill number 17 for the 119th dinner of the season 527"

    found = near_duplicates([*texts, copy], threshold=0.8)

    assert (200, 17) in [(pair.later, pair.earlier) for pair in found]


@given(st.lists(st.text(max_size=12), max_size=12))
def test_only_texts_that_are_that_similar_are_paired(texts: list[str]) -> None:
    for later, earlier, similarity in near_duplicates(texts, threshold=0.5):
        assert earlier < later
        assert similarity == jaccard(shingles(texts[later]), shingles(texts[earlier])) >= 0.5


@given(st.text(min_size=1, max_size=30), st.text(max_size=30))
def test_the_same_text_is_always_found(text: str, other: str) -> None:
    assert (2, 0) in [(pair.later, pair.earlier) for pair in near_duplicates([text, other, text])]

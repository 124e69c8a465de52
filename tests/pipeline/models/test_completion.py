from __future__ import annotations

import pytest

from pipeline.models.completion import Completion, first_line, unescaped


@pytest.mark.parametrize(
    "text, line",
    [
        ("Add a bill.", "Add a bill."),
        ("\n\n  Add a bill.\nIt is due.", "Add a bill."),
        ("```text\nAdd a bill.\n```", "Add a bill."),
        ("`Add a bill.`", "Add a bill."),
        ('"Add a bill."', "Add a bill."),
        ("**Add a bill.**", "Add a bill."),
        ("- Add a bill.", "Add a bill."),
        ("“A” and “B”", "“A” and “B”"),
        (r"\u6253\u5f00\u8bbe\u7f6e", "打开设置"),
        ("", ""),
        ("   \n ", ""),
    ],
)
def test_the_sentence_is_freed_of_its_wrapping(text: str, line: str) -> None:
    assert first_line(text) == line


def test_doubly_escaped_text_is_put_right_and_paths_are_left_alone() -> None:
    assert unescaped("\\\\u6253\\u5f00") == "打开"
    assert unescaped(r"C:\users\u0041da") == r"C:\users\u0041da"


def test_a_whole_pair_becomes_one_character_and_half_of_one_a_mark() -> None:
    assert unescaped(r"\ud83d\ude00") == "😀"
    assert unescaped(r"\ud83d!") == "\ufffd!"


@pytest.mark.parametrize(
    "answer, complete",
    [
        (Completion(text="Go.", finish_reason="stop"), True),
        (Completion(text='{"a":' + "\n" * 900, finish_reason="length"), False),
        (Completion(text="  \n", finish_reason="stop"), False),
        (Completion(text="Go.", finish_reason="stop", error="lost"), False),
    ],
)
def test_only_an_answer_that_came_to_its_end_is_complete(answer: Completion, *, complete: bool) -> None:
    assert answer.complete is complete

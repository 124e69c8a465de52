from __future__ import annotations

import typing

import pytest
from pydantic import TypeAdapter

from pipeline.corpus.wording import caption_of, sentence_of
from schemas.action import Action, Check, Click, FieldInput, Finish, Scroll, Submit, Target, Type
from schemas.record import Record
from schemas.task import Forbidden, Happened, Keypoint, Shown

TARGET = Target(key="k", template="k", role="button", label="Save", item="Row  one")


def example(kind: type[Record]) -> Record:
    """A smallest record of a kind."""
    values: dict[str, object] = {}
    for name, info in kind.model_fields.items():
        if not info.is_required():
            continue
        values[name] = {
            "target": TARGET,
            "onto": TARGET,
            "keys": ("Enter",),
            "fields": (),
            "submit": None,
            "allowed": (),
            "checked": True,
            "accept": True,
            "pixels": 5,
            "reveal": "down",
            "attribute": "checked",
        }.get(name, "x")
    return kind.model_validate(values)


@pytest.mark.parametrize("kind", typing.get_args(typing.get_args(Action)[0]))
def test_every_action_has_a_caption(kind: type[Record]) -> None:
    action = TypeAdapter(Action).validate_python(example(kind))
    assert caption_of(action)


@pytest.mark.parametrize("kind", typing.get_args(typing.get_args(Keypoint)[0]))
def test_every_keypoint_has_a_sentence(kind: type[Record]) -> None:
    keypoint = TypeAdapter(Keypoint).validate_python(example(kind))
    assert sentence_of(keypoint)


def test_captions_say_what_a_user_does() -> None:
    assert caption_of(Click(target=TARGET)) == "Click “Save” of “Row one”"
    assert caption_of(Type(target=TARGET, text="a\nb", submit_after=True)).endswith("and press Enter")
    assert caption_of(Check(target=TARGET, checked=False)).startswith("Untick")
    assert caption_of(Scroll(reveal="down", pixels=300)) == "Scroll to reveal what is below"
    assert caption_of(Finish(answer="42")) == "Answer “42”"
    field = FieldInput(name="what", value="tea", action=Type(target=TARGET, text="tea"))
    assert caption_of(Submit(form="f", fields=(field,), submit=None)) == "Fill in what = “tea”"


def test_sentences_say_how_often() -> None:
    assert sentence_of(Happened(id="k", signature="POST /x")) == "POST /x happens exactly once"
    assert sentence_of(Happened(id="k", signature="POST /x", count=2)).endswith("exactly 2 times")
    assert sentence_of(Shown(id="k", text="t", present=False)).endswith("less often than before")
    assert sentence_of(Forbidden(id="k", allowed=())) == "Nothing at all is written"

import pytest

from pipeline.mining.naming import acts, is_specific, label_of, lead_of, with_object
from schemas.effect import EffectClass
from schemas.screen import Element


@pytest.mark.parametrize("label", ["Submit", "Save changes", "OK", "保存更改", "提交", "确定"])
def test_some_buttons_only_say_that_they_act(label: str) -> None:
    assert not is_specific(label)


@pytest.mark.parametrize(
    "label", ["Delete project", "Import project", "Submit and add a new one", "删除项目", "导入项目"]
)
def test_others_say_what_they_are_about(label: str) -> None:
    assert is_specific(label)


@pytest.mark.parametrize(
    "name,text,placeholder,label",
    [
        ("Name:", "", "", "Name"),
        ('_("Add participant")', "", "Add participant", "Add participant"),
        ("Private code Private code", "", "", "Private code"),
        ("", "  Show \n filters ", "", "Show filters"),
        ("", "", "", ""),
        ("×", "", "", "×"),
    ],
)
def test_labels_are_prose_where_there_is_any(name: str, text: str, placeholder: str, label: str) -> None:
    element = Element(key="k", template="k", role="button", name=name, text=text, placeholder=placeholder)
    assert label_of(element) == label


def test_an_ambiguous_name_gets_what_tells_it_apart() -> None:
    assert with_object("edit", ["", "Bills"]) == "edit (Bills)"
    assert with_object("删除", ["帐单"]) == "删除（帐单）"
    assert with_object("Add", ["Add participant"]) == "Add participant"
    assert with_object("Add bill", ["bill"]) == "Add bill"


def test_some_headings_ask_and_others_only_name() -> None:
    assert acts("Edit this bill")
    assert acts("添加账单")
    assert not acts("Settings")
    assert not acts("设置")


def test_descriptions_lead_with_the_class_where_the_language_has_words() -> None:
    assert lead_of(EffectClass.DELETE, "zh-Hans") == "删除"
    assert lead_of(EffectClass.DOWNLOAD, "en") == "Download"
    assert lead_of(EffectClass.DELETE, "xx") == ""

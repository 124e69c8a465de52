"""The labelled pairs are whole, and counterparts are found where keys hold words of a language."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from locales import align, counterparts
from pairs import labelled, stored

from crawlers.identity import state_of
from schemas.action import Click, Target
from schemas.effect import Effect, EffectClass, Outcome
from schemas.graph import FunctionGraph, Transition
from schemas.screen import Element, State


def screen(lang: str, *links: tuple[str, str]) -> State:
    elements = [Element(key="main", template="main", role="main")]
    for route, name in links:
        key = f"main/link={route}"
        elements.append(
            Element(key=key, template=key, parent=0, role="link", tag="a", name=name, clickable=True)
        )
    place = {"address": "/", "route": "/", "title": "T", "width": 8, "height": 8}
    return state_of(app="a", lang=lang, elements=elements, **place)


def graph(lang: str, root: State, other: State, through: int) -> FunctionGraph:
    step = Transition(
        id="ed_1",
        source=root.id,
        action=Click(target=Target.of(root.elements[through])),
        target=other.id,
        effect=Effect(outcome=Outcome.NAVIGATED, classes=(EffectClass.NAVIGATE,)),
    )
    return FunctionGraph(
        app="a", app_id="ap", lang=lang, root=root.id, states=(root, other), transitions=(step,)
    )


def test_every_label_is_of_two_screens_that_are_there() -> None:
    states = stored()
    pairs = labelled()
    assert len(pairs) > 100
    assert all({pair.left, pair.right} <= states.keys() for pair in pairs)
    assert all(pair.same is not None and pair.why for pair in pairs)


def test_links_to_translated_addresses_are_counterparts() -> None:
    one = screen("en", ("/Home", "Home"), ("/log", "Log"), ("/About", "About"))
    two = screen("zh-Hans", ("/首页", "首页"), ("/log", "日志"), ("/关于", "关于"))
    names = [(left.name, right.name) for left, right in counterparts(one, two) if left.clickable]
    assert names == [("Home", "首页"), ("Log", "日志"), ("About", "关于")]


def test_a_control_of_one_language_alone_counts_against_the_alignment() -> None:
    one = screen("en", ("/Home", "Home"), ("/log", "Log"))
    two = screen("zh-Hans", ("/首页", "首页"), ("/log", "日志"), ("/extra", "更多"))
    left = graph("en", one, screen("en", ("/x", "X")), 1)
    right = graph("zh-Hans", two, screen("zh-Hans", ("/x", "某")), 1)
    found = align(left, right)
    assert (len(found.screens), len(found.controls), found.alone) == (2, 3, 1)
    assert found.share == 6 / 7


def test_a_list_that_is_sorted_by_its_words_is_aligned_by_where_it_leads() -> None:
    one = screen("en", ("/config", "Configuration"), ("/log", "Log"), ("/styling", "Style"))
    two = screen("zh-Hans", ("/log", "日志"), ("/styling", "样式"), ("/config", "配置"))
    names = [(left.name, right.name) for left, right in counterparts(one, two) if left.clickable]
    assert names == [("Configuration", "配置"), ("Log", "日志"), ("Style", "样式")]

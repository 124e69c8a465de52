from __future__ import annotations

from schemas.action import Click, Open, Target
from schemas.effect import Effect, EffectClass, Outcome
from schemas.graph import FunctionGraph, Transition
from schemas.screen import State


def state(name: str) -> State:
    return State(
        id=name, structure=name, app="a", lang="en", address=f"/{name}", route=f"/{name}", width=8, height=8
    )


def edge(source: str, target: str, label: str = "go") -> Transition:
    action = Click(target=Target(key=label, template=label, role="link", label=label))
    effect = Effect(classes=(EffectClass.NAVIGATE,), outcome=Outcome.NAVIGATED)
    return Transition(
        id=f"{source}{target}{label}", source=source, action=action, target=target, effect=effect
    )


def graph(*edges: Transition) -> FunctionGraph:
    names = sorted({name for each in edges for name in (each.source, each.target)} | {"a"})
    return FunctionGraph(
        app="x", app_id="ap_x", lang="en", root="a", states=tuple(map(state, names)), transitions=edges
    )


def test_paths_are_shortest_and_start_at_the_root() -> None:
    found = graph(edge("a", "b"), edge("b", "c"), edge("a", "c", "short"), edge("c", "d")).paths()
    assert [step.id for step in found["d"]] == ["acshort", "cdgo"]
    assert found["a"] == ()


def test_ties_go_to_the_earlier_transition() -> None:
    found = graph(edge("a", "b", "first"), edge("a", "b", "second")).paths()
    assert [step.id for step in found["b"]] == ["abfirst"]


def test_what_cannot_be_reached_has_no_path() -> None:
    assert "c" not in graph(edge("a", "b"), edge("c", "b")).paths()


def test_self_loops_add_no_path() -> None:
    assert graph(edge("a", "a")).paths() == {"a": ()}


def test_a_transition_may_open_an_address() -> None:
    opened = edge("a", "b").model_copy(update={"action": Open(address="/b")})
    assert graph(opened).paths()["b"] == (opened,)

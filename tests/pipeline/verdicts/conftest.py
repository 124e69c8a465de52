"""Trajectories made by hand: what happened behind the screen, and what the screen showed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from schemas.action import Finish, Wait
from schemas.effect import Effect, EffectClass, Evidence, Outcome, Request
from schemas.screen import Element, Quality, State
from schemas.trajectory import Policy, Step, Trajectory


def screen(
    *lines: str,
    route: str = "/",
    structure: str = "sc_list",
    quality: Quality = Quality.OK,
    elements: Sequence[Element] = (),
) -> State:
    texts = tuple(
        Element(key=f"text[{at}]", template="text", role="text", text=line) for at, line in enumerate(lines)
    )
    return State(
        id=f"st_{route}{lines}",
        structure=structure,
        app="ap_1",
        lang="en",
        address=route,
        route=route,
        elements=(*texts, *elements),
        width=640,
        height=480,
        quality=quality,
    )


def post(path: str = "/add", status: int = 302, route: str = "", **fields: str) -> Evidence:
    call = Request(method="POST", path=path, route=route or path, status=status, fields=tuple(fields.items()))
    return Evidence(requests=(call,))


def film(
    screens: Sequence[State],
    evidence: Sequence[Evidence] = (),
    *,
    end: str = "finished",
    answer: str = "",
) -> Trajectory:
    """One waiting step per screen after the first, with that evidence; then Finish."""
    seen = [*evidence, *[Evidence()] * (len(screens) - 1 - len(evidence))]
    steps = [_step(at, Wait(), made) for at, made in enumerate(seen)]
    steps.append(_step(len(steps), Finish(answer=answer), Evidence()))
    return Trajectory(
        id="tr_1",
        task="tk_1",
        app="ap_1",
        lang="en",
        policy=Policy.REFERENCE,
        steps=tuple(steps),
        observations=(*screens, screens[-1]),
        end=end,
    )


def _step(index: int, action: Wait | Finish, evidence: Evidence) -> Step:
    effect = Effect(classes=(EffectClass.NONE,), outcome=Outcome.UNCHANGED, evidence=evidence)
    return Step(index=index, action=action, effect=effect)


class Maker:
    """The functions above, for tests that cannot import from one another."""

    screen = staticmethod(screen)
    post = staticmethod(post)
    film = staticmethod(film)


@pytest.fixture
def make() -> type[Maker]:
    return Maker

"""The tree judge: typed keypoints on the observed elements, as deltas from the initial state. It reads
screens, never requests and never what an agent says about itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.verdicts.matchers import holds, items, same
from schemas.action import Finish
from schemas.screen import Element, Quality, State
from schemas.task import Answered, ElementIs, Keypoint, Shown, Visited
from schemas.trajectory import Trajectory
from schemas.verdict import Ballot

_TRUSTED = frozenset({Quality.OK, Quality.ERROR})

Vote = tuple[bool | None, str]


def trusted(state: State) -> bool:
    """Whether "not present" may be concluded from the screen."""
    return state.quality in _TRUSTED


@dataclass(frozen=True)
class TreeJudge:
    """Votes on Visited, Shown, ElementIs and Answered; abstains on what lies behind the screen, and
    wherever only a degraded screen would support its vote.
    """

    name: str = "tree"
    costly: bool = False

    def __call__(self, keypoint: Keypoint, trajectory: Trajectory) -> Ballot:
        """One vote, with the line or element it rests on."""
        met, reason = _vote(keypoint, trajectory)
        return Ballot(judge=self.name, trajectory=trajectory.id, keypoint=keypoint.id, met=met, reason=reason)

    def moment(self, keypoint: Keypoint, trajectory: Trajectory) -> int | None:
        """Index of the step after which the keypoint was first met; None when never, or not on a screen."""
        for index, seen in enumerate(trajectory.observations[1:]):
            if isinstance(keypoint, Visited) and _is_at(keypoint, seen, trajectory.first):
                return index
            if isinstance(keypoint, Shown) and _shown(keypoint, trajectory.first, seen)[0]:
                return index
            if isinstance(keypoint, ElementIs) and _element(keypoint, trajectory.first, seen)[0]:
                return index
        return None


def _vote(keypoint: Keypoint, trajectory: Trajectory) -> Vote:
    if isinstance(keypoint, Visited):
        return _visited(keypoint, trajectory)
    if isinstance(keypoint, Shown):
        return _shown(keypoint, trajectory.first, trajectory.last)
    if isinstance(keypoint, ElementIs):
        return _element(keypoint, trajectory.first, trajectory.last)
    if isinstance(keypoint, Answered):
        return _answer(keypoint, trajectory)
    return None, "not on the screen"


def _is_at(keypoint: Visited, state: State, first: State) -> bool:
    """Same structure; or the same route, which says something only where the episode did not start there
    (in a single-page App every screen has one route).
    """
    if state.structure == keypoint.structure:
        return True
    return bool(keypoint.route) and state.route == keypoint.route != first.route


def _visited(keypoint: Visited, trajectory: Trajectory) -> Vote:
    seen = trajectory.observations[1:]
    seen = seen[-1:] if keypoint.final else seen
    for state in seen:
        if _is_at(keypoint, state, trajectory.first):
            return True, f"was at {state.address}"
    if not all(trusted(state) for state in seen):
        return None, "the screen could not be read fully"
    ended = trajectory.last.address
    return False, f"{keypoint.route} was not reached; the last screen is {ended}"


def _lines(state: State, text: str) -> int:
    return sum(holds(line, text) for line in state.texts())


def _shown(keypoint: Shown, first: State, last: State) -> Vote:
    before, after = _lines(first, keypoint.text), _lines(last, keypoint.text)
    said = f"{keypoint.text!r} is on {after} lines, {before} at the start"
    # A degraded screen shows at least what was read, so only a count that was too low can mislead.
    if keypoint.present:
        sure = trusted(first) if after > before else trusted(last)
        return (after > before, said) if sure else (None, "the screen could not be read fully")
    sure = trusted(last) if after < before else trusted(first)
    return (after < before, said) if sure else (None, "the screen could not be read fully")


_ATTRIBUTES: dict[str, Callable[[Element | None], str]] = {
    "present": lambda element: _flag(element is not None and element.visible),
    "checked": lambda element: _flag(element is not None and element.checked),
    "value": lambda element: element.value if element else "",
    "selected": lambda element: _selected(element) if element else "",
}


def _flag(value: bool) -> str:  # noqa: FBT001 - it spells the flag
    return "true" if value else "false"


def _selected(element: Element) -> str:
    return next((option.value for option in element.options if option.selected), element.value)


def _element(keypoint: ElementIs, first: State, last: State) -> Vote:
    before, after = first.find(keypoint.key), last.find(keypoint.key)
    for state, element in ((first, before), (last, after)):
        if element is None and not trusted(state):
            return None, "the screen could not be read fully"
    if after is None and keypoint.attribute != "present":
        return False, f"{keypoint.key} is not on the last screen"
    read = _ATTRIBUTES[keypoint.attribute]
    was, now = read(before), read(after)
    said = f"{keypoint.attribute} of {keypoint.key} is {now!r}, {was!r} at the start"
    return was != now and same(keypoint.value, now), said


def _answer(keypoint: Answered, trajectory: Trajectory) -> Vote:
    """The answer is the deliverable, not a claim about success; it counts only if some screen shows it."""
    final = trajectory.steps[-1].action if trajectory.steps else None
    given = final.answer if isinstance(final, Finish) else ""
    if not same(keypoint.value, given, keypoint.answer_kind):
        return False, f"the answer is {given!r}, {keypoint.value!r} wanted"
    lines = [line for state in trajectory.observations for line in state.texts()]
    parts = items(keypoint.value) if keypoint.answer_kind == "list" else (keypoint.value,)
    if keypoint.answer_kind == "bool" or all(any(holds(line, part) for line in lines) for part in parts):
        return True, f"{given!r} was answered and seen"
    sure = all(trusted(state) for state in trajectory.observations)
    return (False if sure else None), f"{given!r} is right and no screen was seen to show it"

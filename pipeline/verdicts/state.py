"""The state judge: what changed behind the screen. It reads requests, storage and downloads, never the
screen and never what an agent says about itself.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.verdicts.matchers import holds, same
from schemas.effect import Evidence, Request
from schemas.task import Carried, Forbidden, Happened, Keypoint
from schemas.trajectory import Trajectory
from schemas.verdict import Ballot

WRITING_AREAS = frozenset({"local", "session", "indexed", "file", "setting"})
"""Storage that holds an App's data; cookies and the clipboard alone change nothing."""
MASK = "***"
"""What stands in evidence where a secret or token was."""


def writes(evidence: Evidence) -> Iterator[str]:
    """The signatures of everything that one Action wrote: requests, storage, downloads."""
    yield from (request.signature for request in evidence.requests if request.write)
    yield from _kept(evidence)


def _kept(evidence: Evidence) -> Iterator[str]:
    """Signatures of what was written on this side of the network."""
    yield from (name for name, _ in _places(evidence))


def _places(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """The same with the concrete path, where there is one."""
    yield from ((write.signature, "") for write in evidence.storage if write.area in WRITING_AREAS)
    yield from ((f"download {download.route}", download.path) for download in evidence.downloads)


@dataclass(frozen=True)
class StateJudge:
    """Votes on Happened, Carried and Forbidden; abstains on everything that is about the screen."""

    name: str = "state"
    costly: bool = False

    def __call__(self, keypoint: Keypoint, trajectory: Trajectory) -> Ballot:
        """One vote, with the requests it rests on."""
        met, reason = self._vote(keypoint, trajectory)
        return Ballot(judge=self.name, trajectory=trajectory.id, keypoint=keypoint.id, met=met, reason=reason)

    def moment(self, keypoint: Keypoint, trajectory: Trajectory) -> int | None:
        """Index of the step that first met the keypoint; None when never, or not behind the screen."""
        for step in trajectory.steps:
            evidence = step.effect.evidence
            if isinstance(keypoint, Happened) and next(_calls(keypoint, evidence), None) is not None:
                return step.index
            if isinstance(keypoint, Carried) and any(_carries(keypoint, evidence)):
                return step.index
        return None

    def _vote(self, keypoint: Keypoint, trajectory: Trajectory) -> tuple[bool | None, str]:
        seen = [step.effect.evidence for step in trajectory.steps]
        if isinstance(keypoint, Happened):
            calls = [call for evidence in seen for call in _calls(keypoint, evidence)]
            return _happened(keypoint, calls)
        if isinstance(keypoint, Carried):
            return _carried(
                keypoint, [carried for evidence in seen for carried in _carries(keypoint, evidence)]
            )
        if isinstance(keypoint, Forbidden):
            return _within(keypoint, Counter(name for evidence in seen for name in writes(evidence)))
        return None, "not behind the screen"


def _answered(request: Request) -> bool:
    return 0 < request.status < 400


def _calls(keypoint: Happened, evidence: Evidence) -> Iterator[str]:
    """Concrete path of every successful call with the keypoint's signature, empty for storage. A GET
    counts here as well: the keypoint names it because it was seen to matter.
    """
    for request in evidence.requests:
        if request.signature == keypoint.signature and _answered(request):
            yield request.path
    yield from (path for name, path in _places(evidence) if name == keypoint.signature)


def _happened(keypoint: Happened, calls: list[str]) -> tuple[bool, str]:
    said = f"{keypoint.signature} happened {len(calls)} times, {keypoint.count} wanted"
    if len(calls) != keypoint.count:
        return False, said
    if keypoint.path and any(call != keypoint.path for call in calls):
        return False, f"{keypoint.signature} went to {calls[0]}, {keypoint.path} wanted"
    return True, said


def _carries(keypoint: Carried, evidence: Evidence) -> Iterator[str]:
    """Every value that was sent in the keypoint's field (or written to its storage key), if it agrees."""
    for request in evidence.requests:
        if request.signature == keypoint.signature and _answered(request):
            pairs = (*request.fields, *request.query)
            yield from (
                value for name, value in pairs if name == keypoint.field and _says(keypoint.value, value)
            )
    escaped = json.dumps(keypoint.value, ensure_ascii=False)[1:-1]
    for write in evidence.storage:
        if write.signature == keypoint.signature and not write.removed:
            yield from (write.value for text in (keypoint.value, escaped) if holds(write.value, text))


def _says(expected: str, sent: str) -> bool:
    return sent == MASK or same(expected, sent)


def _carried(keypoint: Carried, agreeing: list[str]) -> tuple[bool | None, str]:
    if MASK in agreeing:
        return None, f"{keypoint.field} is masked"
    said = "was sent" if agreeing else "was not sent"
    return bool(agreeing), f"{keypoint.field}={keypoint.value!r} {said} in {keypoint.signature}"


def _within(keypoint: Forbidden, seen: Counter[str]) -> tuple[bool, str]:
    surplus = seen - Counter(keypoint.allowed)
    if surplus:
        return False, f"not allowed: {', '.join(sorted(surplus.elements()))}"
    return True, f"{seen.total()} writes, all allowed"

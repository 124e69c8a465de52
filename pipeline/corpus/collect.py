"""The Collector turns a run's records into rows, one graph or proven Task at a time, each row once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.corpus import task_rows, world_rows
from schemas.action import action_id
from schemas.app import Locus, Platform
from schemas.capability import CapabilityTree
from schemas.graph import FunctionGraph
from schemas.proof import Proved
from schemas.record import Record
from schemas.rejection import Rejection
from schemas.screen import State
from schemas.trajectory import Trajectory
from schemas.verdict import Decision, Verdict

Sink = Callable[[str, Sequence[Record]], None]
"""Takes a table's name and rows for it."""


@dataclass
class Collector:
    """Keeps ids only: what was written already, which edge a step walks, which images are needed.

    Of records with one id the first is written, so the order in which they come decides; callers give
    graphs first and everything in a fixed order.
    """

    platforms: Mapping[str, Platform]
    """App id → platform."""
    sink: Sink
    _seen: set[str] = field(default_factory=set)
    _edges: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _passed: dict[str, str] = field(default_factory=dict)
    _used: list[tuple[str, int, tuple[str, ...]]] = field(default_factory=list)
    _crawled: set[str] = field(default_factory=set)
    _published: set[str] = field(default_factory=set)

    def loci(self, loci: Iterable[Locus]) -> None:
        """The apps table: one row per App with the languages that it was crawled in."""
        langs: dict[str, set[str]] = {}
        apps = {locus.app.id: locus.app for locus in loci}
        for locus in loci:
            langs.setdefault(locus.app.id, set()).add(locus.lang)
        self.sink("apps", [world_rows.app_row(app, langs[name]) for name, app in apps.items()])

    def graph(self, graph: FunctionGraph) -> None:
        """A crawl, its States and its edges."""
        if not self._once(f"graph {graph.app_id} {graph.lang}"):
            return
        platform = self.platforms[graph.app_id]
        structures = {state.id: state.structure for state in graph.states}
        self.sink("crawls", [world_rows.crawl_row(graph, platform)])
        self._states(graph.states, graph.app_id)
        self._crawled.update(state.image for state in graph.states if state.image)
        fresh = [edge for edge in graph.transitions if self._once(edge.id)]
        self.sink("edges", [world_rows.edge_row(edge, graph, structures, platform) for edge in fresh])
        for edge in fresh:
            self._edges.setdefault((edge.source, action_id(edge.action), edge.target), edge.id)

    def tree(self, tree: CapabilityTree) -> None:
        """The functions of one App in one language."""
        if self._once(f"tree {tree.id}"):
            self.sink("functions", list(world_rows.function_rows(tree, self.platforms[tree.app_id])))

    def decided(self, verdict: Verdict) -> None:
        """Remember which Trajectories may be published; all Verdicts are told before any Task."""
        if verdict.decision is Decision.PASS:
            self._passed[verdict.trajectory] = verdict.id

    def proved(self, proved: Proved) -> bool:
        """A Task with everything that proves it. It is published when every one of its Trajectories has a
        passing Verdict; otherwise the vote has written its Rejection, and the answer is False.
        """
        runs, app = proved.trajectories, proved.task.plan.app_id
        if not runs or not all(run.id in self._passed for run in runs) or not self._once(proved.task.id):
            return False
        self.sink("tasks", [task_rows.task_row(proved, self.platforms[app])])
        self.sink("keypoints", list(task_rows.keypoint_rows(proved.task)))
        self.sink("proofs", list(task_rows.proof_rows(proved.proof)))
        for run in runs:
            self._trajectory(run, app)
        return True

    def verdict(self, verdict: Verdict) -> None:
        """The Verdict and votes on a published Trajectory."""
        if verdict.trajectory in self._published and self._once(verdict.id):
            self.sink("verdicts", [task_rows.verdict_row(verdict)])
            self.sink("votes", list(task_rows.vote_rows(verdict)))

    def rejection(self, rejection: Rejection) -> bool:
        """An item that fell out; False when the same item fell out for the same reason before."""
        if not self._once(rejection.id):
            return False
        self.sink("rejects", [task_rows.reject_row(rejection)])
        return True

    def images(self) -> Iterator[str]:
        """Ids of all images that rows refer to: Trajectory by Trajectory, then the rest by id."""
        ordered = dict.fromkeys(image for *_, images in sorted(self._used) for image in images)
        yield from ordered
        yield from sorted(self._crawled - ordered.keys())

    def _trajectory(self, run: Trajectory, app: str) -> None:
        platform = self.platforms[app]
        self._published.add(run.id)
        row = task_rows.trajectory_row(run, app, platform, self._passed[run.id])
        self.sink("trajectories", [row])
        self.sink("steps", list(task_rows.step_rows(run, app, platform, self._edges)))
        self._states(run.observations, app)
        images = tuple(dict.fromkeys(state.image for state in run.observations if state.image))
        self._used.append((run.task, run.attempt, images))

    def _states(self, states: Iterable[State], app: str) -> None:
        platform = self.platforms[app]
        for state in states:
            if self._once(state.id):
                self._crawled.update([state.image] if state.image else [])
                self.sink("states", [world_rows.state_row(state, app, platform)])
                self.sink("state_dumps", [world_rows.dump_row(state)])
                self.sink("elements", list(world_rows.element_rows(state, platform)))

    def _once(self, name: str) -> bool:
        """Whether this id comes for the first time."""
        if name in self._seen:
            return False
        self._seen.add(name)
        return True

"""Rows of the tables that describe Tasks, their executions and what was decided about them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from schemas.app import Platform
from schemas.effect import EffectClass, Outcome
from schemas.proof import Execution, Fault, Gate
from schemas.record import Record
from schemas.run import ModelEntry
from schemas.screen import Box
from schemas.task import Asset, Span, Tier, Value
from schemas.trajectory import Policy
from schemas.verdict import Decision, KeypointVerdict
from schemas.world_rows import ActionCell


class TaskRow(Record):
    """One proven Task."""

    task_id: str
    task_group_id: str
    """The same in every language."""
    plan_id: str
    proof_id: str
    app_id: str
    app: str
    platform: Platform
    lang: str
    """BCP-47 tag of the instruction and of the App's screens."""
    language: str
    """Primary language subtag: ``zh`` of ``zh-Hans``."""
    script: str
    """Script subtag, empty where the tag has none."""
    instruction: str
    writer: Literal["template", "model"]
    writer_model: str
    prompt_hash: str
    """Hash of the prompt template, or of the sentence template that was filled."""
    tries: int
    spans: tuple[Span, ...]
    """What each stretch of the instruction is grounded in."""
    tier: Tier
    function_ids: tuple[str, ...]
    effect: EffectClass
    verb: str
    object: str
    name: str
    title: str
    entity: str
    params: tuple[Value, ...]
    params_json: str
    """Parameter name → submitted value, as a JSON object."""
    labels: tuple[str, ...]
    assets: tuple[Asset, ...]
    start_state_id: str
    path_json: str
    """The reference path: a JSON list of Actions, without the terminal one."""
    near_misses_json: str
    """Executions that must fail: a JSON list of kind, detail and path."""
    est_steps: int
    """Actions of the reference path."""
    n_keypoints: int


class KeypointRow(Record):
    """One condition of a Task."""

    task_id: str
    keypoint_id: str
    ordinal: int
    kind: str
    description: str
    """The condition as an English sentence."""
    matcher_json: str
    """The typed predicate."""


class TrajectoryRow(Record):
    """One proving execution: ``n_steps`` steps and ``n_steps + 1`` observations."""

    trajectory_id: str
    task_id: str
    app_id: str
    platform: Platform
    lang: str
    policy: Policy
    attempt: int
    n_steps: int
    """The terminal step included."""
    end: Literal["finished", "target_missing", "error", "environment"]
    terminal_status: str | None
    """``status`` of the terminal action; null when the execution was cut short."""
    final_answer: str
    initial_state_id: str
    final_state_id: str
    verdict_id: str


class StepRow(Record):
    """One action between two observations. The terminal action is a row of its own, on the final screen."""

    trajectory_id: str
    step_index: int
    task_id: str
    app_id: str
    platform: Platform
    lang: str
    action: ActionCell
    action_json: str
    state_before_id: str
    image_before_id: str | None
    state_after_id: str
    image_after_id: str | None
    target_box: Box | None
    """Pixels of ``image_before_id``, half open."""
    hit: bool | None
    """Whether the element under the point was the target or inside it."""
    target_ordinal: int | None
    """``elements.ordinal`` in the State before, when the target is among its elements."""
    edge_id: str | None
    """The crawled Transition with this source, action and target, when there is one."""
    effect: EffectClass
    effects: tuple[EffectClass, ...]
    outcome: Outcome
    side_effects: tuple[str, ...]
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]
    evidence_json: str
    screen_changed: bool
    exec_status: Literal["ok", "failed", "timeout", "blocked"]
    error: str
    terminal: bool


class ProofRow(Record):
    """One gate's answer for one Task, with the executions that show it."""

    task_id: str
    gate: Gate
    proof_id: str
    ordinal: int
    passed: bool
    detail: str
    executions: tuple[Execution, ...]


class VerdictRow(Record):
    """The tally of one Trajectory."""

    verdict_id: str
    task_id: str
    trajectory_id: str
    decision: Decision
    quorum: int
    threshold: float
    tie: Literal["reject", "undecided"]
    agreement: float
    keypoints: tuple[KeypointVerdict, ...]
    n_votes: int
    n_pass: int
    n_fail: int
    n_abstain: int


class VoteRow(Record):
    """One judge's vote on one keypoint; ``met`` is null when it abstained, which is never a no."""

    verdict_id: str
    ordinal: int
    task_id: str
    trajectory_id: str
    keypoint_id: str
    judge: str
    met: bool | None
    confidence: float
    reason: str
    model: str
    prompt_hash: str


class RejectRow(Record):
    """One item that fell out, and why."""

    reject_id: str
    stage: str
    item_id: str
    reason: str
    detail: str
    fault: Fault | None
    app: str
    lang: str
    text: str


class RunRow(Record):
    """The run that made this corpus; the only table that holds a clock."""

    run_id: str
    started_at: datetime
    finished_at: datetime
    status: Literal["complete", "partial"]
    config_json: str
    config_hash: str
    code_hash: str
    seed: int
    apps: tuple[str, ...]
    langs: tuple[str, ...]
    models: tuple[ModelEntry, ...]
    funnel: dict[str, int]
    """Stage → items kept."""
    rejected: dict[str, int]
    """``stage/reason`` → items."""
    counts: dict[str, int]
    """Table → rows, runs and files left out."""
    format: str

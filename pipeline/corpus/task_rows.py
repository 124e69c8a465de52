"""Tasks, Proofs, Trajectories, Verdicts, Rejections and the run → rows. Pure: no file, no clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from pipeline.corpus.cells import cell_of, effect_columns, json_of
from pipeline.corpus.wording import sentence_of
from schemas.action import Action, Finish, action_id, target_of
from schemas.app import Platform
from schemas.proof import Proof, Proved
from schemas.rejection import Rejection
from schemas.run import Manifest
from schemas.screen import State
from schemas.task import Task
from schemas.task_rows import (
    KeypointRow,
    ProofRow,
    RejectRow,
    RunRow,
    StepRow,
    TaskRow,
    TrajectoryRow,
    VerdictRow,
    VoteRow,
)
from schemas.trajectory import Trajectory
from schemas.verdict import Verdict

EdgeIndex = Mapping[tuple[str, str, str], str]
"""(source State id, action id, target State id) → Transition id."""


def task_row(proved: Proved, platform: Platform) -> TaskRow:
    """One Task with its plan and its words."""
    task, plan, words = proved.task, proved.task.plan, proved.task.instruction
    return TaskRow(
        task_id=task.id,
        task_group_id=plan.group,
        plan_id=plan.id,
        proof_id=proved.proof.id,
        app_id=plan.app_id,
        app=plan.app,
        platform=platform,
        lang=plan.lang,
        language=plan.lang.split("-")[0],
        script=_script(plan.lang),
        instruction=words.text,
        writer=words.writer,
        writer_model=words.model,
        prompt_hash=words.prompt,
        tries=words.tries,
        spans=words.spans,
        tier=plan.tier,
        function_ids=plan.capabilities,
        effect=plan.effect,
        verb=plan.verb,
        object=plan.object,
        name=plan.name,
        title=plan.title,
        entity=plan.entity,
        params=plan.values,
        params_json=json_of({value.name: value.value for value in plan.values}),
        labels=plan.labels,
        assets=plan.assets,
        start_state_id=plan.root,
        path_json=json_of(plan.path),
        near_misses_json=json_of(plan.near_misses),
        est_steps=len(plan.path),
        n_keypoints=len(plan.keypoints),
    )


def keypoint_rows(task: Task) -> Iterator[KeypointRow]:
    """The Task's conditions in order."""
    for ordinal, keypoint in enumerate(task.plan.keypoints):
        yield KeypointRow(
            task_id=task.id,
            keypoint_id=keypoint.id,
            ordinal=ordinal,
            kind=keypoint.kind,
            description=sentence_of(keypoint),
            matcher_json=json_of(keypoint),
        )


def proof_rows(proof: Proof) -> Iterator[ProofRow]:
    """One row per gate, in the order in which they were passed."""
    for ordinal, check in enumerate(proof.checks):
        yield ProofRow(
            task_id=proof.task,
            gate=check.gate,
            proof_id=proof.id,
            ordinal=ordinal,
            passed=check.passed,
            detail=check.detail,
            executions=check.executions,
        )


def trajectory_row(run: Trajectory, app_id: str, platform: Platform, verdict: str) -> TrajectoryRow:
    """One execution without its steps."""
    last = run.steps[-1].action if run.steps else None
    finish = last if isinstance(last, Finish) else None
    return TrajectoryRow(
        trajectory_id=run.id,
        task_id=run.task,
        app_id=app_id,
        platform=platform,
        lang=run.lang,
        policy=run.policy,
        attempt=run.attempt,
        n_steps=len(run.steps),
        end=run.end,
        terminal_status=finish.status if finish else None,
        final_answer=finish.answer if finish else "",
        initial_state_id=run.first.id,
        final_state_id=run.last.id,
        verdict_id=verdict,
    )


def step_rows(run: Trajectory, app_id: str, platform: Platform, edges: EdgeIndex) -> Iterator[StepRow]:
    """The steps in order, each between the observations before and after it."""
    for step, (before, after) in zip(run.steps, pairwise(run.observations), strict=True):
        yield StepRow(
            trajectory_id=run.id,
            step_index=step.index,
            task_id=run.task,
            app_id=app_id,
            platform=platform,
            lang=run.lang,
            action=cell_of(step.action, step.effect),
            action_json=json_of(step.action),
            state_before_id=before.id,
            image_before_id=before.image,
            state_after_id=after.id,
            image_after_id=after.image,
            hit=step.effect.evidence.gesture.hit if step.effect.evidence.gesture else None,
            target_ordinal=_ordinal(step.action, before),
            edge_id=edges.get((before.id, action_id(step.action), after.id)),
            screen_changed=before.id != after.id,
            exec_status=step.status,
            error=step.error,
            terminal=isinstance(step.action, Finish),
            **effect_columns(step.effect),
        )


def verdict_row(verdict: Verdict) -> VerdictRow:
    """The tally without its votes."""
    cast = [ballot.met for ballot in verdict.ballots]
    return VerdictRow(
        verdict_id=verdict.id,
        task_id=verdict.task,
        trajectory_id=verdict.trajectory,
        decision=verdict.decision,
        quorum=verdict.rule.quorum,
        threshold=verdict.rule.threshold,
        tie=verdict.rule.tie,
        agreement=verdict.agreement,
        keypoints=verdict.keypoints,
        n_votes=len(cast),
        n_pass=cast.count(True),
        n_fail=cast.count(False),
        n_abstain=cast.count(None),
    )


def vote_rows(verdict: Verdict) -> Iterator[VoteRow]:
    """All ballots that the tally was made of."""
    for ordinal, ballot in enumerate(verdict.ballots):
        yield VoteRow(
            verdict_id=verdict.id,
            ordinal=ordinal,
            task_id=verdict.task,
            trajectory_id=ballot.trajectory,
            keypoint_id=ballot.keypoint,
            judge=ballot.judge,
            met=ballot.met,
            confidence=ballot.confidence,
            reason=ballot.reason,
            model=ballot.model,
            prompt_hash=ballot.prompt,
        )


def reject_row(rejection: Rejection) -> RejectRow:
    """One item that fell out."""
    return RejectRow(reject_id=rejection.id, item_id=rejection.item, **rejection.model_dump(exclude={"item"}))


def run_row(manifest: Manifest) -> RunRow:
    """The run itself."""
    return RunRow(
        run_id=manifest.run,
        config_hash=manifest.config,
        code_hash=manifest.code,
        **{name: getattr(manifest, name) for name in _SAME_IN_RUN},
    )


_SAME_IN_RUN = sorted(set(RunRow.model_fields) & set(Manifest.model_fields))


def _ordinal(action: Action, before: State) -> int | None:
    target = target_of(action)
    if target is None:
        return None
    return next((at for at, element in enumerate(before.elements) if element.key == target.key), None)


def _script(lang: str) -> str:
    return next((part for part in lang.split("-")[1:] if len(part) == 4 and part.isalpha()), "")

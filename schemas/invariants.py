"""Invariants across rows and tables, each as an SQL statement that lists what breaks it."""

from __future__ import annotations

from schemas.record import Record


class Invariant(Record):
    """One rule across rows: ``violations`` selects one text per row that breaks it."""

    name: str
    sentence: str
    """What must hold, for people."""
    violations: str


INVARIANTS = (
    Invariant(
        name="steps_contiguous",
        sentence="a trajectory's steps are numbered from 0 without a gap, and there are n_steps of them",
        violations="""
            SELECT t.trajectory_id FROM trajectories AS t LEFT JOIN steps AS s USING (trajectory_id)
            GROUP BY t.trajectory_id, t.n_steps
            HAVING count(s.step_index) <> t.n_steps OR min(s.step_index) <> 0
                OR max(s.step_index) <> t.n_steps - 1
        """,
    ),
    Invariant(
        name="observations_chain",
        sentence="N steps have N+1 observations: each step starts on the screen that the one before ended on",
        violations="""
            SELECT concat(s.trajectory_id, ' step ', s.step_index) FROM steps AS s JOIN steps AS n
            ON n.trajectory_id = s.trajectory_id AND n.step_index = s.step_index + 1
            WHERE n.state_before_id <> s.state_after_id OR n.image_before_id IS DISTINCT FROM s.image_after_id
            UNION ALL
            SELECT t.trajectory_id FROM trajectories AS t JOIN steps AS s USING (trajectory_id)
            WHERE (s.step_index = 0 AND s.state_before_id <> t.initial_state_id)
               OR (s.step_index = t.n_steps - 1 AND s.state_after_id <> t.final_state_id)
        """,
    ),
    Invariant(
        name="terminal_row",
        sentence="a finished trajectory ends in exactly one terminal row, on its final screen",
        violations="""
            SELECT t.trajectory_id FROM trajectories AS t JOIN steps AS s USING (trajectory_id)
            GROUP BY t.trajectory_id, t.n_steps, t."end", t.final_state_id
            HAVING t."end" = 'finished' AND (
                count(*) FILTER (s.terminal) <> 1
                OR count(*) FILTER (
                    s.terminal AND s.step_index = t.n_steps - 1 AND s.state_before_id = t.final_state_id
                ) <> 1
            )
        """,
    ),
    Invariant(
        name="replayed_twice",
        sentence="a task has at least two replays of its reference path that ran to the end",
        violations="""
            SELECT k.task_id FROM tasks AS k LEFT JOIN trajectories AS t
            ON t.task_id = k.task_id AND t.policy = 'reference' AND t."end" = 'finished'
            GROUP BY k.task_id HAVING count(DISTINCT t.attempt) < 2
        """,
    ),
    Invariant(
        name="replays_with_images",
        sentence="every observation of a proving trajectory has a screenshot",
        violations="""
            SELECT concat(s.trajectory_id, ' step ', s.step_index) FROM steps AS s
            WHERE image_before_id IS NULL OR image_after_id IS NULL
        """,
    ),
    Invariant(
        name="all_gates_passed",
        sentence="a task has passed all eight gates",
        violations="""
            SELECT k.task_id FROM tasks AS k LEFT JOIN proofs AS p ON p.task_id = k.task_id AND p.passed
            GROUP BY k.task_id HAVING count(DISTINCT p.gate) < 8
        """,
    ),
    Invariant(
        name="verifier_as_expected",
        sentence="the verifier said to every execution of a passed gate what it had to say",
        violations="""
            SELECT concat(task_id, ' ', gate, ' ', e.purpose)
            FROM (SELECT task_id, gate, unnest(executions) AS e FROM proofs WHERE passed)
            WHERE e.verified <> e.expected
        """,
    ),
    Invariant(
        name="verdicts_pass",
        sentence="every published trajectory has a passing verdict on all keypoints of its task",
        violations="""
            SELECT t.trajectory_id FROM trajectories AS t JOIN tasks AS k USING (task_id)
            LEFT JOIN verdicts AS v USING (verdict_id)
            WHERE v.decision IS DISTINCT FROM 'pass' OR len(v.keypoints) <> k.n_keypoints
        """,
    ),
    Invariant(
        name="keypoints_complete",
        sentence="a task has the n_keypoints that it claims, and one that doing nothing fails",
        violations="""
            SELECT k.task_id FROM tasks AS k LEFT JOIN keypoints AS p USING (task_id)
            GROUP BY k.task_id, k.n_keypoints
            HAVING count(p.keypoint_id) <> k.n_keypoints OR count(*) FILTER (p.kind <> 'forbidden') = 0
        """,
    ),
    Invariant(
        name="spans_inside",
        sentence="spans lie inside the instruction",
        violations="""
            SELECT concat(task_id, ' ', s.of)
            FROM (SELECT task_id, instruction, unnest(spans) AS s FROM tasks)
            WHERE s.start < 0 OR s."end" <= s.start OR s."end" > length(instruction)
        """,
    ),
    Invariant(
        name="point_inside_image",
        sentence="a step's point lies inside the screenshot that it was chosen on",
        violations="""
            SELECT concat(s.trajectory_id, ' step ', s.step_index)
            FROM steps AS s JOIN images AS i ON i.image_id = s.image_before_id
            WHERE s.action.x NOT BETWEEN 0 AND i.width_px - 1 OR s.action.y NOT BETWEEN 0 AND i.height_px - 1
        """,
    ),
    Invariant(
        name="point_inside_box",
        sentence="a step's point lies inside its target's box",
        violations="""
            SELECT concat(s.trajectory_id, ' step ', s.step_index)
            FROM steps AS s WHERE s.target_box IS NOT NULL AND (
                s.action.x NOT BETWEEN s.target_box.x1 AND s.target_box.x2 - 1
                OR s.action.y NOT BETWEEN s.target_box.y1 AND s.target_box.y2 - 1)
        """,
    ),
    Invariant(
        name="box_inside_image",
        sentence="a target's box has an area and lies inside the screenshot",
        violations="""
            SELECT concat(s.trajectory_id, ' step ', s.step_index)
            FROM steps AS s JOIN images AS i ON i.image_id = s.image_before_id
            WHERE s.target_box.x1 < 0 OR s.target_box.x2 > i.width_px OR s.target_box.x2 <= s.target_box.x1
               OR s.target_box.y1 < 0 OR s.target_box.y2 > i.height_px OR s.target_box.y2 <= s.target_box.y1
        """,
    ),
    Invariant(
        name="box_not_the_screen",
        sentence="a target's box covers less than 90 % of the screen",
        violations="""
            SELECT concat(s.trajectory_id, ' step ', s.step_index)
            FROM steps AS s JOIN images AS i ON i.image_id = s.image_before_id
            WHERE s.action.kind IN ('click', 'hover', 'type', 'select', 'check', 'upload')
              AND (s.target_box.x2 - s.target_box.x1) * (s.target_box.y2 - s.target_box.y1)
                  >= 0.9 * i.width_px * i.height_px
        """,
    ),
    Invariant(
        name="elements_in_order",
        sentence="an element's parent comes before it, and its box has an area",
        violations="""
            SELECT concat(state_id, ' element ', ordinal) FROM elements
            WHERE parent >= ordinal OR box.x2 <= box.x1 OR box.y2 <= box.y1
        """,
    ),
    Invariant(
        name="no_elements_on_blank",
        sentence="a blank screen has no elements",
        violations="""
            SELECT DISTINCT state_id FROM elements JOIN states USING (state_id) WHERE quality = 'blank'
        """,
    ),
    Invariant(
        name="image_is_its_hash",
        sentence="an image's id is the sha256 of its bytes",
        violations="""
            SELECT image_id FROM images WHERE sha256(bytes) <> image_id OR octet_length(bytes) <> byte_len
        """,
    ),
    Invariant(
        name="routes_reached_are_known",
        sentence="a crawl reaches no more routes than are known, and both are counted or neither",
        violations="""
            SELECT concat(app_id, ' ', lang) FROM crawls
            WHERE routes_reached > routes_known OR (routes_reached IS NULL) <> (routes_known IS NULL)
        """,
    ),
    Invariant(
        name="lines_are_statements",
        sentence="a crawl runs no more lines than there are statements, and both are counted or neither",
        violations="""
            SELECT concat(app_id, ' ', lang) FROM crawls
            WHERE lines > statements OR (lines IS NULL) <> (statements IS NULL)
        """,
    ),
    Invariant(
        name="languages_agree",
        sentence="a task's functions and executions are in the task's language",
        violations="""
            SELECT k.task_id FROM tasks AS k JOIN trajectories AS t USING (task_id) WHERE t.lang <> k.lang
            UNION ALL
            SELECT k.task_id FROM (SELECT task_id, lang, unnest(function_ids) AS function_id FROM tasks) AS k
            ANTI JOIN functions AS f ON f.function_id = k.function_id AND f.lang = k.lang
        """,
    ),
)

-- How many proven tasks are there per app, language and effect?
SELECT app, lang, effect, count(*) AS tasks
FROM tasks GROUP BY ALL ORDER BY tasks DESC, app, lang, effect;

-- Which instructions say the same in several languages?
SELECT task_group_id, map_from_entries(list((lang, instruction) ORDER BY lang)) AS instructions
FROM tasks GROUP BY task_group_id HAVING count(DISTINCT lang) > 1 ORDER BY task_group_id;

-- What does one proving execution look like, step by step, with its pixels?
SELECT s.step_index, s.action.kind, s.action.x, s.action.y, s.action.text, s.effect, s.side_effects
FROM steps AS s
WHERE s.trajectory_id = (SELECT min(trajectory_id) FROM trajectories)
ORDER BY s.step_index;

-- Which gate turned how many items away, and why?
SELECT stage, reason, count(*) AS items, min(detail) AS example
FROM rejects GROUP BY ALL ORDER BY items DESC, stage, reason;

-- What did the verifier say to executions that had to fail?
SELECT gate, e.policy AS policy, count(*) AS executions, count(*) FILTER (e.verified) AS wrongly_accepted
FROM (SELECT gate, unnest(executions) AS e FROM proofs)
WHERE NOT e.expected GROUP BY ALL ORDER BY gate, policy;

-- Which judges abstain, and on which kind of keypoint?
SELECT v.judge, k.kind, count(*) AS ballots, count(*) FILTER (v.met IS NULL) AS abstained
FROM votes AS v JOIN keypoints AS k USING (task_id, keypoint_id)
GROUP BY ALL ORDER BY v.judge, k.kind;

-- Grounding pairs: a screenshot, the words for a control on it, and where it is.
SELECT st.image_id, e.name, e.role, e.box
FROM elements AS e JOIN states AS st USING (state_id)
WHERE e.clickable AND e.visible AND NOT e.occluded AND e.name <> '' AND e.box IS NOT NULL
ORDER BY e.state_id, e.ordinal LIMIT 20;

-- What is one control called in each language? Structures and keys hold no word of any language.
SELECT structure, template, role, map_from_entries(list((lang, name) ORDER BY lang)) AS names
FROM (
    SELECT st.structure, e.template, e.role, e.lang, min(e.name) AS name
    FROM elements AS e JOIN states AS st USING (state_id)
    WHERE e.clickable AND e.visible AND e.name <> '' AND e.key = e.template GROUP BY ALL
)
GROUP BY structure, template, role HAVING count(*) > 1 ORDER BY structure, template LIMIT 20;

-- What can the app do, and which of it has tasks?
SELECT f.lang, f.name, f.effect, f.signature, count(t.task_id) AS tasks
FROM functions AS f LEFT JOIN tasks AS t ON list_contains(t.function_ids, f.function_id) AND t.lang = f.lang
WHERE f.level = 'atomic' GROUP BY ALL ORDER BY f.lang, tasks DESC, f.name;

// Find the moves of a run that are not undone.
//
// params:  run STRING, limit INTEGER
// returns: rows: transition MAP of properties; count: moves INTEGER, intact INTEGER, later STRING or NULL
// mode:    read
// choices: rows (by memory) count (with how many still stand as the run left them, and the last of the runs that moved
//          or condensed such a memory since)
MATCH (t:Transition {run_uid: $run})
WHERE t.memory_uid IS NOT NULL AND t.undone_at IS NULL
//= rows
RETURN t {.*} AS transition
ORDER BY t.memory_uid
LIMIT $limit
//= count
//| OPTIONAL MATCH (m:Memory {uid: t.memory_uid})
//| OPTIONAL MATCH (after:Transition {uid: m.moved_by})
//| RETURN count(DISTINCT t) AS moves,
//|        count(DISTINCT CASE WHEN m.moved_by = t.uid AND coalesce(m.revision, 1) = t.revision AND m.state = t.to_state
//|                               AND m.stratum = t.to_stratum THEN t END) AS intact,
//|        max(coalesce(m.condensed_by, CASE WHEN after.uid <> t.uid THEN after.run_uid END)) AS later
//=

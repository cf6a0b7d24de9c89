// How many of the moves of a run still stand as it left them, and the last of the runs that moved or condensed such a
// memory since.
//
// params:  run STRING
// returns: moves INTEGER, intact INTEGER, later STRING or NULL
// mode:    read
MATCH (t:Transition {run_uid: $run})
WHERE t.memory_uid IS NOT NULL AND t.undone_at IS NULL
OPTIONAL MATCH (m:Memory {uid: t.memory_uid})
OPTIONAL MATCH (after:Transition {uid: m.moved_by})
RETURN count(DISTINCT t) AS moves,
       count(DISTINCT CASE WHEN m.moved_by = t.uid AND coalesce(m.revision, 1) = t.revision AND m.state = t.to_state
                              AND m.stratum = t.to_stratum THEN t END) AS intact,
       max(coalesce(m.condensed_by, CASE WHEN after.uid <> t.uid THEN after.run_uid END)) AS later

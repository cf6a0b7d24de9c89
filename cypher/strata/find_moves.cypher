// What a run moved and has not moved back, by memory.
//
// params:  run STRING, limit INTEGER
// returns: transition MAP of properties
// mode:    read
MATCH (t:Transition {run_uid: $run})
WHERE t.memory_uid IS NOT NULL AND t.undone_at IS NULL
RETURN t {.*} AS transition
ORDER BY t.memory_uid
LIMIT $limit

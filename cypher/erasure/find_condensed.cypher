// Memories of a session that left their places in it to what they were condensed to, where that is marked.
//
// params:  run STRING, scope STRING, session_id STRING, limit INTEGER
// returns: uid STRING
// mode:    read
MATCH (:Memory {erased_by: $run})-[:PROMOTED_FROM]->(m:Memory)
WHERE m.scope = $scope AND m.session_id = $session_id AND m.erased_by IS NULL
RETURN DISTINCT m.uid AS uid
LIMIT $limit

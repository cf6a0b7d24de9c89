// Successful active memories of a scope and some strata, highest Q first.
//
// Copies in channels are left out, as they follow their originals.
//
// params:  scope STRING, strata LIST<STRING>, q_value FLOAT, successes INTEGER, session_id STRING (empty: any),
//          limit INTEGER, home STRING, task_id STRING
// returns: uid STRING
// mode:    read
// choices: scope task (that a task was given)
//= scope
MATCH (m:Memory)
  USING INDEX m:Memory(scope, q_value)
WHERE m.scope = $scope AND m.q_value >= $q_value
WITH m
WHERE m.state = 'active' AND m.published_at IS NULL AND m.stratum IN $strata AND coalesce(m.success_count, 0) >= $successes
  AND ($session_id = '' OR m.session_id = $session_id)
//= task
//| MATCH (:Task {scope: $home, task_id: $task_id})-[:RETRIEVED]->(m:Memory)
//| WITH DISTINCT m
//| WHERE m.scope = $scope AND m.q_value >= $q_value AND m.state = 'active' AND m.published_at IS NULL AND m.stratum IN $strata
//|   AND coalesce(m.success_count, 0) >= $successes AND ($session_id = '' OR m.session_id = $session_id)
//=
RETURN m.uid AS uid
ORDER BY m.q_value DESC, uid
LIMIT $limit

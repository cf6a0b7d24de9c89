// Active memories of a scope and some strata that a task was given and that proved themselves, highest Q first.
//
// What a channel was given follows its original: it is passed over.
//
// params:  home STRING, task_id STRING, scope STRING, strata LIST<STRING>, q_value FLOAT, successes INTEGER,
//          session_id STRING (empty: any), limit INTEGER
// returns: uid STRING
// mode:    read
MATCH (:Task {scope: $home, task_id: $task_id})-[:RETRIEVED]->(m:Memory)
WITH DISTINCT m
WHERE m.scope = $scope AND m.q_value >= $q_value AND m.state = 'active' AND m.published_at IS NULL AND m.stratum IN $strata
  AND coalesce(m.success_count, 0) >= $successes AND ($session_id = '' OR m.session_id = $session_id)
RETURN m.uid AS uid
ORDER BY m.q_value DESC, uid
LIMIT $limit

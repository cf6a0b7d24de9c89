// The memories a task was given that the caller may read, sorted so that two outcomes never deadlock.
//
// params:  scope STRING, task_id STRING, scopes LIST<STRING>
// returns: uid STRING
// mode:    read
MATCH (t:Task {scope: $scope, task_id: $task_id})-[:RETRIEVED]->(m:Memory)
WHERE m.scope IN $scopes
RETURN DISTINCT m.uid AS uid
ORDER BY uid

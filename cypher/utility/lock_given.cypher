// Lock a task, then the memories it was given in uid order; they are read after.
//
// Removing a property that no node has locks it and writes nothing.
//
// params:  scope STRING, task_id STRING, scopes LIST<STRING>, now ZONED DATETIME
// returns: uids LIST<STRING>
// mode:    write
MATCH (t:Task {scope: $scope, task_id: $task_id})
SET t.reported_at = $now
WITH t
MATCH (t)-[:RETRIEVED]->(m:Memory)
WHERE m.scope IN $scopes
WITH DISTINCT m ORDER BY m.uid
REMOVE m.reward_uid
RETURN collect(m.uid) AS uids

// Lock a task, by a write that reads nothing.
//
// params:  scope STRING, task_id STRING, now ZONED DATETIME
// returns: locked INTEGER
// mode:    write
MATCH (t:Task {scope: $scope, task_id: $task_id})
SET t.reported_at = $now
RETURN count(*) AS locked

// Lock a task before its outcome is read.
//
// params:  scope STRING, task_id STRING
// returns: status STRING or NULL, quality FLOAT or NULL, reward FLOAT or NULL
// mode:    write
MATCH (t:Task {scope: $scope, task_id: $task_id})
SET t.outcomes_reported = coalesce(t.outcomes_reported, 0) + 1
RETURN t.status AS status, t.quality AS quality, t.reward AS reward

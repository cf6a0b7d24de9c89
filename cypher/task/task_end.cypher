// How a task ended, if it did.
//
// params:  scope STRING, task_id STRING
// returns: status STRING or NULL, quality FLOAT or NULL, reward FLOAT or NULL
// mode:    read
MATCH (t:Task {scope: $scope, task_id: $task_id})
RETURN t.status AS status, t.quality AS quality, t.reward AS reward

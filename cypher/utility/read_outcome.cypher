// Read the outcome of a task.
//
// params:  scope STRING, task_id STRING
// returns: status STRING or NULL (it has not)
// mode:    read
MATCH (t:Task {scope: $scope, task_id: $task_id})
RETURN t.status AS status

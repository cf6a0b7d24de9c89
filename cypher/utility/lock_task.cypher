// Lock a task, by a write that reads nothing: how it ended is read after.
//
// params:  scope STRING, task_id STRING, now ZONED DATETIME, tenant STRING, expires_at ZONED DATETIME
// returns: locked INTEGER
// mode:    write
// choices: known new (made unless it is there)
//= known
MATCH (t:Task {scope: $scope, task_id: $task_id})
//= new
//| MERGE (t:Task {scope: $scope, task_id: $task_id})
//| ON CREATE SET t.tenant = $tenant, t.created_at = $now, t.expires_at = $expires_at
//=
SET t.reported_at = $now
RETURN count(*) AS locked

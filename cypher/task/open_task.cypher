// Make a task unless it is there, and lock it: how it ended is read after.
//
// params:  scope STRING, tenant STRING, task_id STRING, now ZONED DATETIME,
//          expires_at ZONED DATETIME
// returns: locked INTEGER
// mode:    write
MERGE (t:Task {scope: $scope, task_id: $task_id})
ON CREATE SET t.tenant = $tenant, t.created_at = $now, t.expires_at = $expires_at
SET t.reported_at = $now
RETURN count(*) AS locked

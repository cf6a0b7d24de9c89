// Users whose executions are in a scope.
//
// params:  scope STRING
// returns: user_id STRING
// mode:    read
MATCH (n:Execution)
WHERE n.scope = $scope AND n.occurred_at IS NOT NULL AND n.user_id <> ''
RETURN DISTINCT n.user_id AS user_id
ORDER BY user_id

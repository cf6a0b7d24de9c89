// The latest executions of some scopes, with their steps.
//
// params:  scopes LIST<STRING>, since ZONED DATETIME, limit INTEGER
// returns: execution MAP of properties
// mode:    read
MATCH (n:Execution)
WHERE n.scope IN $scopes AND n.occurred_at >= $since
RETURN n {.*} AS execution
ORDER BY execution.occurred_at DESC, execution.task_id
LIMIT $limit

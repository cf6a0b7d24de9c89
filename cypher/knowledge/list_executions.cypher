// The latest executions of some scopes, with their steps. They are put in order before their properties are read: a scope
// may have a hundred thousand.
//
// params:  scopes LIST<STRING>, since ZONED DATETIME, limit INTEGER
// returns: execution MAP of properties
// mode:    read
MATCH (n:Execution)
WHERE n.scope IN $scopes AND n.occurred_at >= $since
WITH n ORDER BY n.occurred_at DESC, n.task_id LIMIT $limit
RETURN n {.*} AS execution
ORDER BY execution.occurred_at DESC, execution.task_id

// Tasks with what they were given, a page by scope and name; as sessions are walked.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, after_id STRING,
//          end STRING (behind the last scope), limit INTEGER
// returns: task MAP of properties, retrievals LIST<MAP> {memory_uid STRING, properties MAP}
// mode:    read
CALL () {
  MATCH (n:Task)
    USING INDEX n:Task(scope, task_id)
  WHERE n.scope = $after AND n.task_id > $after_id
    AND n.tenant = $tenant AND ($whole OR n.scope IN $scopes)
  RETURN n ORDER BY n.scope, n.task_id LIMIT $limit
UNION ALL
  MATCH (n:Task)
    USING INDEX n:Task(scope, task_id)
  WHERE n.scope > $after AND n.scope < $end AND n.task_id IS NOT NULL
    AND n.tenant = $tenant AND ($whole OR n.scope IN $scopes)
  RETURN n ORDER BY n.scope, n.task_id LIMIT $limit
}
WITH n AS t ORDER BY t.scope, t.task_id LIMIT $limit
RETURN t {.*} AS task, COLLECT {
  MATCH (t)-[r:RETRIEVED]->(m:Memory)
  WHERE m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden'
  RETURN {memory_uid: m.uid, properties: properties(r)} AS found
  ORDER BY found.memory_uid, r.phase
} AS retrievals
ORDER BY task.scope, task.task_id

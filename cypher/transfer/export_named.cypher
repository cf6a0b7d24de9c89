// Sessions, tasks or momenta, a page by scope and name; the rest of the current scope, then later ones.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, after_id STRING, end STRING (behind the
//          last scope), limit INTEGER
// returns: sessions: session MAP of properties; tasks: task MAP of properties, retrievals LIST<MAP> {memory_uid STRING,
//          properties MAP}; momenta: momentum MAP of properties
// mode:    read
// choices: sessions tasks (with the memories that they were given) momenta (that have met something)
CALL () {
//= sessions
  MATCH (n:Session)
    USING INDEX n:Session(scope, session_id)
  WHERE n.scope = $after AND n.session_id > $after_id
//= tasks
//|   MATCH (n:Task)
//|     USING INDEX n:Task(scope, task_id)
//|   WHERE n.scope = $after AND n.task_id > $after_id
//= momenta
//|   MATCH (n:Momentum)
//|     USING INDEX n:Momentum(scope, context)
//|   WHERE n.scope = $after AND n.context > $after_id AND n.count IS NOT NULL
//=
    AND n.tenant = $tenant AND ($whole OR n.scope IN $scopes)
//= sessions
  RETURN n ORDER BY n.scope, n.session_id LIMIT $limit
//= tasks
//|   RETURN n ORDER BY n.scope, n.task_id LIMIT $limit
//= momenta
//|   RETURN n ORDER BY n.scope, n.context LIMIT $limit
//=
UNION ALL
//= sessions
  MATCH (n:Session)
    USING INDEX n:Session(scope, session_id)
  WHERE n.scope > $after AND n.scope < $end AND n.session_id IS NOT NULL
//= tasks
//|   MATCH (n:Task)
//|     USING INDEX n:Task(scope, task_id)
//|   WHERE n.scope > $after AND n.scope < $end AND n.task_id IS NOT NULL
//= momenta
//|   MATCH (n:Momentum)
//|     USING INDEX n:Momentum(scope, context)
//|   WHERE n.scope > $after AND n.scope < $end AND n.context IS NOT NULL AND n.count IS NOT NULL
//=
    AND n.tenant = $tenant AND ($whole OR n.scope IN $scopes)
//= sessions
  RETURN n ORDER BY n.scope, n.session_id LIMIT $limit
//= tasks
//|   RETURN n ORDER BY n.scope, n.task_id LIMIT $limit
//= momenta
//|   RETURN n ORDER BY n.scope, n.context LIMIT $limit
//=
}
//= sessions
WITH n AS o ORDER BY o.scope, o.session_id LIMIT $limit
RETURN o {.*} AS session
ORDER BY session.scope, session.session_id
//= tasks
//| WITH n AS o ORDER BY o.scope, o.task_id LIMIT $limit
//| RETURN o {.*} AS task, COLLECT {
//|   MATCH (o)-[r:RETRIEVED]->(m:Memory)
//|   WHERE m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden'
//|   RETURN {memory_uid: m.uid, properties: properties(r)} AS found
//|   ORDER BY found.memory_uid, r.phase
//| } AS retrievals
//| ORDER BY task.scope, task.task_id
//= momenta
//| WITH n AS o ORDER BY o.scope, o.context LIMIT $limit
//| RETURN o {.*} AS momentum
//| ORDER BY momentum.scope, momentum.context
//=

// Read the outcome of a task, if it ended, and the utility of locked memories.
//
// params:  scope STRING, task_id STRING, uids LIST<STRING> (sorted),
//          credit_kinds LIST<STRING>, most INTEGER (of them for each memory)
// returns: task MAP or NULL, memories LIST of [uid, scope, q_value, q_count, q_left, q_m2, q_init,
//          q_seq, q_base_seq, success_count, failure_count, given LIST of [phase, rank, contexts],
//          targets LIST<STRING>]
// mode:    read
OPTIONAL MATCH (t:Task {scope: $scope, task_id: $task_id})
RETURN t {.status, .quality, .reward, .report} AS task, COLLECT {
  UNWIND $uids AS uid
  MATCH (m:Memory {uid: uid})
  RETURN [m.uid, m.scope, coalesce(m.q_value, 0.5), coalesce(m.q_count, 0),
    coalesce(m.q_left, 1.0), coalesce(m.q_m2, 0.0), coalesce(m.q_init, 0.5),
    coalesce(m.q_seq, m.q_count, 0), coalesce(m.q_base_seq, 0),
    coalesce(m.success_count, 0), coalesce(m.failure_count, 0),
    COLLECT {
      MATCH (t)-[r:RETRIEVED]->(m)
      RETURN [r.phase, r.rank, coalesce(r.contexts, [])] AS given ORDER BY given[0]
    },
    COLLECT {
      MATCH (m)-[:USED]->(s:Memory)
      WHERE s.scope = m.scope AND s.kind IN $credit_kinds AND s.state = 'active'
      RETURN s.uid AS target ORDER BY target LIMIT $most
    }] AS row
} AS memories

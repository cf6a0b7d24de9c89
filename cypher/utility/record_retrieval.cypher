// Record which memories a task was given, at which rank and in which contexts.
//
// Each memory is locked before its edge is created, in the order of the rows: an edge to a dense node locks its edges
// first and the memory after, and could deadlock with a reward of the memory.
//
// params:  scope STRING, tenant STRING, task_id STRING, phase STRING, now ZONED DATETIME,
//          expires_at ZONED DATETIME, contexts LIST<STRING>,
//          rows LIST<MAP> {uid STRING, rank INTEGER, score FLOAT} (sorted), events LIST<MAP>
// returns: recorded INTEGER
// mode:    write
MERGE (t:Task {scope: $scope, task_id: $task_id})
ON CREATE SET t.tenant = $tenant, t.created_at = $now
SET t.expires_at = $expires_at
WITH t
CALL () {
  UNWIND $events AS event
  CREATE (e:Event)
  SET e = event
}
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
REMOVE m.reward_uid
WITH t, row, m
MERGE (t)-[r:RETRIEVED {phase: $phase}]->(m)
ON CREATE SET r.rank = row.rank, r.score = row.score, r.retrieved_at = $now,
              r.contexts = CASE WHEN size($contexts) > 0 THEN $contexts END
ON MATCH SET r.score = CASE WHEN row.rank < r.rank THEN row.score ELSE r.score END,
             r.rank = CASE WHEN row.rank < r.rank THEN row.rank ELSE r.rank END,
             r.contexts = CASE WHEN size($contexts) > 0 THEN coalesce(r.contexts, []) +
               [context IN $contexts WHERE NOT context IN coalesce(r.contexts, [])]
               ELSE r.contexts END
RETURN count(*) AS recorded

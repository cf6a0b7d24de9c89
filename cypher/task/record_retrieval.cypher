// Remember which memories a task was given, and at which rank.
//
// params:  scope STRING, tenant STRING, task_id STRING, phase STRING, now ZONED DATETIME,
//          expires_at ZONED DATETIME, rows LIST<MAP> {uid STRING, rank INTEGER, score FLOAT}
// returns: recorded INTEGER
// mode:    write
MERGE (t:Task {scope: $scope, task_id: $task_id})
ON CREATE SET t.tenant = $tenant, t.created_at = $now
SET t.expires_at = $expires_at
WITH t
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
MERGE (t)-[r:RETRIEVED {phase: $phase}]->(m)
ON CREATE SET r.rank = row.rank, r.score = row.score, r.retrieved_at = $now
ON MATCH SET r.score = CASE WHEN row.rank < r.rank THEN row.score ELSE r.score END,
             r.rank = CASE WHEN row.rank < r.rank THEN row.rank ELSE r.rank END
RETURN count(*) AS recorded

// Write a reward: its node, what it did to each memory and estimate, the credits that wait, its
// events and, where it ends one, the task; the scopes get another version.
//
// params:  reward MAP, rows LIST<MAP> {uid STRING, entry MAP, memory MAP} (sorted),
//          estimates LIST<MAP> {memory_uid STRING, context STRING, birth MAP, values MAP},
//          credits LIST<MAP>, events LIST<MAP>,
//          ends LIST<MAP> {scope STRING, task_id STRING, task MAP}, scopes LIST<STRING> (sorted)
// returns: rewarded INTEGER
// mode:    write
CREATE (w:Reward)
SET w = $reward
WITH w
CALL (w) {
  UNWIND $rows AS row
  MATCH (m:Memory {uid: row.uid})
  CREATE (w)-[r:REWARDED]->(m)
  SET r = row.entry, m += row.memory
  RETURN count(*) AS rewarded
}
CALL () {
  UNWIND $estimates AS row
  MATCH (m:Memory {uid: row.memory_uid})
  MERGE (e:Estimate {memory_uid: row.memory_uid, context: row.context})
  ON CREATE SET e += row.birth
  SET e += row.values
  MERGE (m)-[:ESTIMATED]->(e)
}
CALL () {
  UNWIND $credits AS row
  CREATE (c:Credit)
  SET c = row
}
CALL () {
  UNWIND $events AS row
  CREATE (e:Event)
  SET e = row
}
CALL () {
  UNWIND $ends AS row
  MATCH (t:Task {scope: row.scope, task_id: row.task_id})
  SET t += row.task
}
CALL () {
  UNWIND $scopes AS scope
  MATCH (s:Scope {scope: scope})
  SET s.version = randomUUID()
}
RETURN rewarded

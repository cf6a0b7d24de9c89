// Move memories and estimates by their credits and note each in the history; the credits are gone then.
//
// params:  rows LIST<MAP> {uid STRING, memory MAP} (sorted),
//          estimates LIST<MAP> {memory_uid STRING, context STRING, birth MAP, values MAP},
//          entries LIST<MAP> {uid STRING, reward_uid STRING, entry MAP} (by reward_uid),
//          done LIST<STRING> (sorted), events LIST<MAP>, scopes LIST<STRING> (sorted)
// returns: applied INTEGER
// mode:    write
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {uid: row.uid})
  SET m += row.memory
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
  UNWIND $entries AS row
  MATCH (w:Reward {uid: row.reward_uid})
  MATCH (m:Memory {uid: row.uid})
  CREATE (w)-[r:REWARDED]->(m)
  SET r = row.entry
}
CALL () {
  UNWIND $events AS event
  CREATE (e:Event)
  SET e = event
}
CALL () {
  UNWIND $scopes AS scope
  MATCH (s:Scope {scope: scope})
  SET s.version = randomUUID()
}
UNWIND $done AS uid
MATCH (c:Credit {uid: uid})
DELETE c
RETURN count(*) AS applied

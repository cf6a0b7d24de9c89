// Find the direct sources of memories: condensed ones, evidence, and originals; of unreadable ones only that they
// exist.
//
// params:  uids LIST<STRING>, scopes LIST<STRING>, limit INTEGER
// returns: uid STRING, type STRING, run STRING or NULL, source MAP or NULL (out of the scopes) {uid STRING, scope STRING,
//          kind STRING, stratum STRING, state STRING, text STRING, recorded_at ZONED DATETIME}
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})-[r:PROMOTED_FROM|DERIVED_FROM|PUBLISHED_FROM]->(s:Memory)
WHERE m.scope IN $scopes AND s.state <> 'hidden'
RETURN m.uid AS uid, type(r) AS type, r.run_uid AS run,
       CASE WHEN s.scope IN $scopes
         THEN s {.uid, .scope, .kind, .stratum, .state, .text, .recorded_at} END AS source
ORDER BY uid, type, s.uid
LIMIT $limit

// Positions in channels: each agreement, and each other statement with contradictions or votes; with supporting and
// opposing statements, and the votes on both.
//
// params:  channels LIST<STRING> (scopes), uids LIST<STRING> (that alone; empty: all), limit INTEGER
// returns: uid STRING, channel STRING (scope), text STRING, agreed BOOLEAN, at ZONED DATETIME,
//          held LIST<MAP> {uid STRING, agent STRING, text STRING, at ZONED DATETIME},
//          against LIST<MAP> of the same, votes LIST<MAP> {agent STRING, statement STRING, agrees BOOLEAN, at ZONED DATETIME}
// mode:    read
CALL () {
  UNWIND $channels AS channel
  MATCH (m:Memory)
  WHERE m.scope = channel AND m.external_id STARTS WITH 'agreement:'
  WITH m
  WHERE m.made_by IS NOT NULL AND m.source_type = 'agreement'
  RETURN m, true AS agreed
UNION
  UNWIND $channels AS channel
  CALL (channel) {
    MATCH (m:Memory)-[r:CONTRADICTS]-(:Memory)
    WHERE r.scope = channel
    RETURN m
  UNION
    MATCH (:Scope)-[r:VOTED]->(m:Memory)
    WHERE r.scope = channel
    RETURN m
  }
  WITH m
  WHERE NOT EXISTS { MATCH (m)<-[:DERIVED_FROM]-(a:Memory {source_type: 'agreement'}) WHERE a.made_by IS NOT NULL }
  RETURN m, false AS agreed
UNION
  UNWIND $uids AS uid
  MATCH (m:Memory {uid: uid})
  WHERE m.scope IN $channels
  RETURN m, m.made_by IS NOT NULL AND m.source_type = 'agreement' AS agreed
}
WITH m, agreed
WHERE m.state <> 'hidden' AND (size($uids) = 0 OR m.uid IN $uids)
WITH m, agreed ORDER BY m.occurred_at DESC, m.uid DESC LIMIT $limit
WITH m, agreed, COLLECT {
  MATCH (m)-[:DERIVED_FROM]->(s:Memory)
  WHERE agreed AND s.state <> 'hidden'
  RETURN s
UNION
  WITH m AS s, agreed AS is_one
  WHERE NOT is_one
  RETURN s
} AS held
WITH m, agreed, held, COLLECT {
  UNWIND held AS s
  MATCH (s)-[:CONTRADICTS]-(o:Memory)
  WHERE o.state <> 'hidden' AND NOT o IN held
  RETURN DISTINCT o
} AS against
RETURN m.uid AS uid, m.scope AS channel, m.text AS text, agreed, m.occurred_at AS at,
       [s IN held | {uid: s.uid, agent: s.agent_id, text: s.text, at: s.occurred_at}] AS held,
       [o IN against | {uid: o.uid, agent: o.agent_id, text: o.text, at: o.occurred_at}] AS against,
       COLLECT {
         UNWIND held + against AS s
         MATCH (w:Scope)-[v:VOTED]->(s)
         RETURN {agent: w.name, statement: s.uid, agrees: v.agrees, at: v.at} AS vote
         ORDER BY vote.at, vote.agent, vote.statement
       } AS votes
ORDER BY at DESC, uid DESC

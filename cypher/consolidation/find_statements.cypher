// Statements of agents in a channel, the latest and those that an agreement rests on: valid active plain notes, with
// their agent, votes of others, contradictions and agreement.
//
// params:  scope STRING, limit INTEGER, longest INTEGER (characters), kinds LIST<STRING>, now ZONED DATETIME
// returns: uid STRING, agent STRING (name), text STRING, at ZONED DATETIME, revision INTEGER, vector LIST<FLOAT> (d) or NULL,
//          votes LIST of [agent STRING (name), agrees BOOLEAN, at ZONED DATETIME], contradicts LIST<STRING>,
//          gathered LIST<STRING>
// mode:    read
// slots:   a b
CALL () {
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, recorded_at, uid)
  WHERE m.scope = $scope AND m.recorded_at IS NOT NULL AND m.uid IS NOT NULL
  WITH m
  WHERE m.state = 'active' AND m.kind IN $kinds AND m.structured IS NULL AND m.made_by IS NULL
    AND m.agent_id <> '' AND size(m.text) <= $longest
    AND m.valid_from <= $now AND m.valid_to > $now AND m.expires_at > $now
  RETURN m
  ORDER BY m.recorded_at DESC, m.uid DESC
  LIMIT $limit
UNION
  MATCH (a:Memory)
  WHERE a.scope = $scope AND a.external_id STARTS WITH 'agreement:'
  MATCH (a)-[:DERIVED_FROM]->(m:Memory)
  WHERE a.made_by IS NOT NULL AND m.state = 'active' AND m.kind IN $kinds AND m.structured IS NULL
    AND m.agent_id <> '' AND size(m.text) <= $longest
    AND m.valid_from <= $now AND m.valid_to > $now AND m.expires_at > $now
  RETURN m
}
RETURN m.uid AS uid, m.agent_id AS agent, m.text AS text, m.occurred_at AS at, coalesce(m.revision, 1) AS revision,
       m.embedding_a AS vector,
       COLLECT { MATCH (w:Scope)-[v:VOTED]->(m) RETURN [w.name, v.agrees, v.at] ORDER BY w.name } AS votes,
       COLLECT { MATCH (m)-[:CONTRADICTS]-(o:Memory) RETURN o.uid ORDER BY o.uid } AS contradicts,
       COLLECT { MATCH (m)<-[:DERIVED_FROM]-(a:Memory {source_type: 'agreement'})
                 WHERE a.made_by IS NOT NULL RETURN a.uid ORDER BY a.uid } AS gathered
ORDER BY at, uid

// Problems of a scope with their concept and some of their attempts, correct ones first.
//
// params:  scope STRING, uids LIST<STRING>
// returns: uid STRING, name STRING, text STRING, domain STRING, concept STRING or NULL,
//          attempts LIST of [uid, name, right BOOLEAN, actions, structured STRING or NULL (of right ones)]
// mode:    read
UNWIND $uids AS uid
MATCH (p:Memory {uid: uid})
WHERE p.scope = $scope
CALL (p) {
  OPTIONAL MATCH (e:Episode)-[way:SOLVED|ATTEMPTED]->(p)
  WHERE e.state <> 'hidden'
  WITH e, type(way) = 'SOLVED' AS right
  ORDER BY right DESC, e.q_value DESC, e.recorded_at DESC, e.uid
  LIMIT 20
  RETURN [row IN collect([e.uid, coalesce(e.external_id, e.uid), right, coalesce(e.actions, []),
                              CASE WHEN right THEN e.structured END]) WHERE row[0] IS NOT NULL] AS attempts
}
RETURN uid, coalesce(p.external_id, p.uid) AS name, p.text AS text, p.domain AS domain, attempts,
       head([(p)-[:REQUIRES]->(c:Concept) WHERE c.state <> 'hidden' | c.uid]) AS concept
ORDER BY uid

// Insert memories between their neighbours in their session.
//
// params:  uids LIST<STRING>
// returns: touched LIST<STRING>, the memories whose neighbours have changed
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
CALL (m) {
  OPTIONAL MATCH (p:Memory)
    USING INDEX p:Memory(scope, session_id, sequence)
  WHERE p.scope = m.scope AND p.session_id = m.session_id AND p.sequence < m.sequence
  RETURN p ORDER BY p.sequence DESC LIMIT 1
}
CALL (m) {
  OPTIONAL MATCH (n:Memory)
    USING INDEX n:Memory(scope, session_id, sequence)
  WHERE n.scope = m.scope AND n.session_id = m.session_id AND n.sequence > m.sequence
  RETURN n ORDER BY n.sequence LIMIT 1
}
// both ways: either neighbour may be at an end
OPTIONAL MATCH (p)-[onward:NEXT]->(:Memory)
OPTIONAL MATCH (:Memory)-[inward:NEXT]->(n)
DELETE onward, inward
FOREACH (_ IN CASE WHEN p IS NULL THEN [] ELSE [1] END | MERGE (p)-[:NEXT]->(m))
FOREACH (_ IN CASE WHEN n IS NULL THEN [] ELSE [1] END | MERGE (m)-[:NEXT]->(n))
WITH collect(m.uid) + collect(p.uid) + collect(n.uid) AS uids
UNWIND uids AS uid
RETURN collect(DISTINCT uid) AS touched

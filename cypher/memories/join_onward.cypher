// Join memories to what follows them in their session now, after what stood between went.
//
// params:  uids LIST<STRING>
// returns: joined INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
CALL (m) {
  MATCH (n:Memory)
    USING INDEX n:Memory(scope, session_id, sequence)
  WHERE n.scope = m.scope AND n.session_id = m.session_id AND n.sequence > m.sequence
  RETURN n
  ORDER BY n.sequence
  LIMIT 1
}
// merged: a neighbour that stayed is joined already
MERGE (m)-[:NEXT]->(n)
RETURN count(*) AS joined

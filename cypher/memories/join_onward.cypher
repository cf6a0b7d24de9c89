// Link memories to their next one in the session, after removals in between.
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
// merged: neighbours may be linked already
MERGE (m)-[:NEXT]->(n)
RETURN count(*) AS joined

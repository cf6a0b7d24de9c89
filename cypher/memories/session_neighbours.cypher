// Memories and their neighbours in sessions.
//
// params:  uids LIST<STRING>
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
OPTIONAL MATCH (m)-[:NEXT]-(n:Memory)
WITH collect(m.uid) + collect(n.uid) AS near
UNWIND near AS uid
RETURN DISTINCT uid

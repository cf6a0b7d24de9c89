// Find kept memories that are replaced by some about to be removed.
//
// params:  uids LIST<STRING>
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})-[:SUPERSEDES]->(older:Memory)
WHERE NOT older.uid IN $uids
RETURN DISTINCT older.uid AS uid
ORDER BY uid

// Keep the end of validity of replaced memories when their replacement is removed without a request.
//
// params:  uids LIST<STRING>
// returns: kept INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})-[r:SUPERSEDES]->(older:Memory)
WHERE r.ends AND NOT older.uid IN $uids AND older.held_until > r.since
WITH older, min(r.since) AS since
SET older.held_until = since
RETURN count(*) AS kept

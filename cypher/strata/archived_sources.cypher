// Find the archived sources that condensed memories still represent: they are removed with them.
//
// params:  uids LIST<STRING>
// returns: uid STRING, made STRING (the one of the uids that it was made part of)
// mode:    read
UNWIND $uids AS made
MATCH (:Memory {uid: made})-[:PROMOTED_FROM*1..8]->(s:Memory)
WHERE s.condensed_by IS NOT NULL AND s.state = 'archived' AND s.erased_by IS NULL
RETURN DISTINCT s.uid AS uid, made
ORDER BY uid

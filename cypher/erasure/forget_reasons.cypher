// Forget what was said of memories that are about to go in the reasons of rewards that others keep.
//
// params:  uids LIST<STRING> (sorted)
// returns: forgotten INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})<-[:REWARDED]-(w:Reward)
WHERE w.reason IS NOT NULL
WITH DISTINCT w ORDER BY w.uid
REMOVE w.reason
RETURN count(*) AS forgotten

// Remove quotes of memories about to be removed.
//
// params:  uids LIST<STRING> (sorted)
// returns: reasons: forgotten INTEGER; patches: Patch INTEGER
// mode:    write
// choices: reasons (of rewards) patches
UNWIND $uids AS uid
//= reasons
MATCH (m:Memory {uid: uid})<-[:REWARDED]-(n:Reward)
WHERE n.reason IS NOT NULL
//= patches
//| MATCH (m:Memory {uid: uid})<-[:RESTS_ON|REPAIRS]-(n:Patch)
//=
WITH DISTINCT n ORDER BY n.uid
//= reasons
REMOVE n.reason
RETURN count(*) AS forgotten
//= patches
//| DETACH DELETE n
//| RETURN count(*) AS Patch
//=

// Forget the clusters that memories which are about to go were made of.
//
// params:  uids LIST<STRING> (sorted)
// returns: forgotten INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.made_by IS NOT NULL
MATCH (c:Cluster)
WHERE c.run_uid = m.made_by AND c.position >= 0 AND c.condensed_uid = m.uid
DELETE c
RETURN count(*) AS forgotten

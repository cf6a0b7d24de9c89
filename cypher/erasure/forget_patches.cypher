// Remove patches that quote memories that are about to go.
//
// params:  uids LIST<STRING> (sorted)
// returns: Patch INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})<-[:RESTS_ON|REPAIRS]-(p:Patch)
WITH DISTINCT p ORDER BY p.uid
DETACH DELETE p
RETURN count(*) AS Patch

// Note what became of clusters.
//
// params:  uids LIST<STRING>, state STRING
// returns: marked INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (c:Cluster {uid: uid})
SET c.state = $state
RETURN count(*) AS marked

// Note what became of clusters; one that is past these states already, by somebody else at the same run, stays so.
//
// params:  uids LIST<STRING>, was LIST<STRING> (states), state STRING
// returns: marked INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (c:Cluster {uid: uid})
WHERE c.state IN $was
SET c.state = $state
RETURN count(*) AS marked

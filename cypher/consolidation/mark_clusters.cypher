// Set the state of clusters; those that another worker of the run has advanced further are kept.
//
// params:  uids LIST<STRING>, was LIST<STRING> (states), state STRING
// returns: marked INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (c:Cluster {uid: uid})
WHERE c.state IN $was
SET c.state = $state
RETURN count(*) AS marked

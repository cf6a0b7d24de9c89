// Record that locked problems were examined, and which are to be examined again; count those of their scope that wait.
//
// params:  scope STRING, uids LIST<STRING> (sorted), again LIST<STRING> (sorted), now ZONED DATETIME
// returns: left INTEGER
// mode:    write
CALL () {
  UNWIND $uids AS uid
  MATCH (p:Memory {uid: uid})
  SET p.matched_at = $now
  RETURN count(*) AS marked
}
CALL (marked) {
  UNWIND $again AS uid
  MATCH (p:Memory {uid: uid})
  REMOVE p.matched_at
  RETURN count(*) AS again
}
WITH marked, again
OPTIONAL MATCH (p:Problem)
WHERE p.scope = $scope AND p.uid > '' AND p.matched_at IS NULL AND p.state <> 'hidden'
  AND EXISTS { (p)<-[:SOLVED|ATTEMPTED]-(:Episode) } AND NOT EXISTS { (p)-[:REQUIRES]->(:Concept) }
RETURN count(p) AS left

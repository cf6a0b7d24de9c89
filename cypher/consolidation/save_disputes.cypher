// Link contradicting locked statements of a channel, and unlink those that no longer contradict each other.
//
// params:  rows LIST<MAP> {one STRING, other STRING, similarity FLOAT} (sorted; the lower uid is the one), settled LIST<MAP>
//          {one STRING, other STRING}, run STRING, scope STRING, now ZONED DATETIME
// returns: saved INTEGER (that are new)
// mode:    write
CALL () {
  UNWIND $settled AS row
  MATCH (:Memory {uid: row.one})-[r:CONTRADICTS]-(:Memory {uid: row.other})
  DELETE r
  RETURN count(*) AS parted
}
CALL () {
  UNWIND $rows AS row
  MATCH (a:Memory {uid: row.one})
  MATCH (b:Memory {uid: row.other})
  WHERE NOT EXISTS { (a)-[:CONTRADICTS]-(b) }
  CREATE (a)-[:CONTRADICTS {scope: $scope, similarity: row.similarity, found_at: $now, made_by: $run}]->(b)
  RETURN count(*) AS saved
}
RETURN saved

// Remove the estimates of memories beyond a maximum, those rewarded longest ago first.
//
// params:  uids LIST<STRING> (sorted), most INTEGER
// returns: removed INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
CALL (m) {
  MATCH (m)-[:ESTIMATED]->(e:Estimate)
  WITH e ORDER BY e.last_reward_at DESC, e.context SKIP $most
  DETACH DELETE e
  RETURN count(*) AS parted
}
RETURN sum(parted) AS removed

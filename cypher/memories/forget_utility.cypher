// Remove data about memories that are about to be removed: estimates, pending credits, rewards without other updates,
// with their reasons, moves, surprises, and the sharing state of originals.
//
// params:  uids LIST<STRING> (sorted)
// returns: Estimate INTEGER, Credit INTEGER, Transition INTEGER, Surprise INTEGER, Reward INTEGER
// mode:    write
CALL () {
  UNWIND $uids AS uid
  MATCH (m:Memory {uid: uid})-[:ESTIMATED]->(e:Estimate)
  DETACH DELETE e
  RETURN count(*) AS Estimate
}
CALL () {
  UNWIND $uids AS uid
  MATCH (c:Credit {memory_uid: uid})
  DELETE c
  RETURN count(*) AS Credit
}
CALL () {
  UNWIND $uids AS uid
  MATCH (t:Transition {memory_uid: uid})
  DELETE t
  RETURN count(*) AS Transition
}
CALL () {
  UNWIND $uids AS uid
  MATCH (:Memory {uid: uid})-[:SURPRISED_BY]->(s:Surprise)
  DETACH DELETE s
  RETURN count(*) AS Surprise
}
CALL () {
  UNWIND $uids AS uid
  MATCH (copy:Memory {uid: uid})-[:PUBLISHED_FROM]->(m:Memory)-[s:SHARED_WITH]->(channel:Scope {scope: copy.scope})
  WHERE NOT EXISTS { (m)<-[:PUBLISHED_FROM]-(other:Memory {scope: copy.scope}) WHERE NOT other.uid IN $uids }
  DELETE s
}
CALL () {
  UNWIND $uids AS uid
  MATCH (m:Memory {uid: uid})<-[:REWARDED]-(w:Reward)
  WHERE NOT EXISTS {
    MATCH (w)-[:REWARDED]->(other:Memory)
    WHERE NOT other.uid IN $uids
  }
  WITH DISTINCT w ORDER BY w.uid
  DETACH DELETE w
  RETURN count(*) AS Reward
}
RETURN Estimate, Credit, Transition, Surprise, Reward

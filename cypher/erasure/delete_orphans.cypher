// Remove nodes that are still orphaned.
//
// params:  versions LIST<STRING>, estimates LIST<STRING>, credits LIST<STRING>, transitions LIST<STRING>,
//          surprises LIST<STRING>, rewards LIST<STRING>, visits LIST<STRING>, steps LIST<STRING>, patches LIST<STRING>
// returns: deleted INTEGER
// mode:    write
CALL () {
  UNWIND $versions AS uid
  MATCH (n:Version {uid: uid})
  WHERE NOT EXISTS { (n)-[:VERSION_OF]->(:Memory) }
  DETACH DELETE n
  RETURN count(*) AS versions
}
CALL () {
  UNWIND $estimates AS uid
  MATCH (n:Estimate {uid: uid})
  WHERE NOT EXISTS { (:Memory)-[:ESTIMATED]->(n) }
  DETACH DELETE n
  RETURN count(*) AS estimates
}
CALL () {
  UNWIND $credits AS uid
  MATCH (n:Credit {uid: uid})
  WHERE NOT EXISTS { MATCH (m:Memory {uid: n.memory_uid}) } OR NOT EXISTS { MATCH (w:Reward {uid: n.reward_uid}) }
  DETACH DELETE n
  RETURN count(*) AS credits
}
CALL () {
  UNWIND $transitions AS uid
  MATCH (n:Transition {uid: uid})
  WHERE NOT EXISTS { MATCH (m:Memory {uid: n.memory_uid}) }
  DETACH DELETE n
  RETURN count(*) AS transitions
}
CALL () {
  UNWIND $surprises AS uid
  MATCH (n:Surprise {uid: uid})
  WHERE NOT EXISTS { (:Memory)-[:SURPRISED_BY]->(n) }
  DETACH DELETE n
  RETURN count(*) AS surprises
}
CALL () {
  UNWIND $rewards AS uid
  MATCH (n:Reward {uid: uid})
  WHERE NOT EXISTS { (n)-[:REWARDED]->(:Memory) } AND NOT EXISTS { MATCH (c:Credit {reward_uid: n.uid}) }
    AND NOT EXISTS { MATCH (t:Task {scope: n.scope, task_id: n.task_id}) }
  DETACH DELETE n
  RETURN count(*) AS rewards
}
CALL () {
  UNWIND $visits AS uid
  MATCH (n:CyclePhase {uid: uid})
  WHERE NOT EXISTS { (:Cycle)-[:HAS_PHASE]->(n) }
  DETACH DELETE n
  RETURN count(*) AS visits
}
CALL () {
  UNWIND $steps AS uid
  MATCH (n:CycleStep {uid: uid})
  WHERE NOT EXISTS { (:Cycle)-[:HAS_STEP]->(n) }
  DETACH DELETE n
  RETURN count(*) AS steps
}
CALL () {
  UNWIND $patches AS uid
  MATCH (n:Patch {uid: uid})
  WHERE NOT EXISTS { (n)-[:PATCHES]->(:Cycle) }
  DETACH DELETE n
  RETURN count(*) AS patches
}
RETURN versions + estimates + credits + transitions + surprises + rewards + visits + steps + patches AS deleted

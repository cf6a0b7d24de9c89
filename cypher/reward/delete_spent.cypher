// Remove rewards that no history holds any longer and whose task is gone.
//
// params:  uids LIST<STRING> (sorted)
// returns: deleted INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (w:Reward {uid: uid})
WHERE NOT EXISTS { (w)-[:REWARDED]->(:Memory) }
  AND NOT EXISTS { MATCH (c:Credit {reward_uid: w.uid}) }
  AND NOT EXISTS { MATCH (t:Task {scope: w.scope, task_id: w.task_id}) }
DETACH DELETE w
RETURN count(*) AS deleted

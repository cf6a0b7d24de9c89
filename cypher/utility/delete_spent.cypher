// Remove the reasons of rewards that are in no history, and rewards without a task.
//
// Manual rewards are kept, so that a revert can report that it is too late.
//
// params:  uids LIST<STRING> (sorted)
// returns: deleted INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (w:Reward {uid: uid})
WHERE NOT EXISTS { (w)-[:REWARDED]->(:Memory) }
REMOVE w.reason
WITH w
WHERE coalesce(w.kind, 'outcome') <> 'manual'
  AND NOT EXISTS { MATCH (c:Credit {reward_uid: w.uid}) }
  AND NOT EXISTS { MATCH (t:Task {scope: w.scope, task_id: w.task_id}) }
DETACH DELETE w
RETURN count(*) AS deleted

// Remove expired tasks, with their rewards that are in no history.
//
// params:  now ZONED DATETIME, limit INTEGER
// returns: expired INTEGER
// mode:    write
MATCH (t:Task)
WHERE t.expires_at <= $now
WITH t LIMIT $limit
CALL (t) {
  MATCH (w:Reward {scope: t.scope, task_id: t.task_id})
  WHERE NOT EXISTS { (w)-[:REWARDED]->(:Memory) }
    AND NOT EXISTS { MATCH (c:Credit {reward_uid: w.uid}) }
  DETACH DELETE w
  RETURN count(*) AS spent
}
DETACH DELETE t
RETURN count(*) AS expired

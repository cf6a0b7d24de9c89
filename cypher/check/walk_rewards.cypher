// A page of rewards by uid, and those that no memory, credit or task knows of. What was given by hand stays.
//
// params:  after STRING, limit INTEGER
// returns: last STRING or NULL, seen INTEGER, rewards LIST<STRING>
// mode:    read
MATCH (n:Reward)
WHERE n.uid > $after
WITH n ORDER BY n.uid LIMIT $limit
RETURN max(n.uid) AS last, count(n) AS seen,
       collect(CASE WHEN NOT coalesce(n.kind, 'outcome') IN ['manual', 'revert']
         AND NOT EXISTS { (n)-[:REWARDED]->(:Memory) }
         AND NOT EXISTS { MATCH (c:Credit {reward_uid: n.uid}) }
         AND NOT EXISTS { MATCH (t:Task {scope: n.scope, task_id: n.task_id}) } THEN n.uid END) AS rewards

// A page of credits by uid, and those whose memory or reward is gone.
//
// params:  after STRING, limit INTEGER
// returns: last STRING or NULL, seen INTEGER, credits LIST<STRING>
// mode:    read
MATCH (n:Credit)
WHERE n.uid > $after
WITH n ORDER BY n.uid LIMIT $limit
RETURN max(n.uid) AS last, count(n) AS seen,
       collect(CASE WHEN NOT EXISTS { MATCH (m:Memory {uid: n.memory_uid}) }
         OR NOT EXISTS { MATCH (w:Reward {uid: n.reward_uid}) } THEN n.uid END) AS credits

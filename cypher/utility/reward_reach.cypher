// One reward of a scope and all its updates, applied and pending, also of memories the caller does not read.
//
// params:  reward_uid STRING, scope STRING (that owns it)
// returns: reward MAP of properties, memories LIST of [uid, scope], waiting LIST of [uid, scope] (whom
//          credits wait for)
// mode:    read
MATCH (w:Reward {uid: $reward_uid})
WHERE w.scope = $scope
RETURN w {.*} AS reward, COLLECT {
  MATCH (w)-[:REWARDED]->(m:Memory)
  RETURN DISTINCT [m.uid, m.scope] AS row ORDER BY row[0]
} AS memories, COLLECT {
  MATCH (c:Credit {reward_uid: $reward_uid})
  MATCH (m:Memory {uid: c.memory_uid})
  RETURN DISTINCT [m.uid, m.scope] AS row ORDER BY row[0]
} AS waiting

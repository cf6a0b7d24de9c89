// Outcomes with what they did to each Q, a page by uid; without the reasons of what moved a memory that is being erased.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER
// returns: reward MAP of properties, rewarded LIST<MAP> {memory_uid STRING, properties MAP}
// mode:    read
MATCH (w:Reward)
  USING INDEX w:Reward(uid)
WHERE w.uid > $after AND w.tenant = $tenant AND ($whole OR w.scope IN $scopes)
WITH w ORDER BY w.uid LIMIT $limit
RETURN w {.*, reason: CASE WHEN NOT EXISTS { MATCH (w)-[:REWARDED]->(m:Memory) WHERE m.erased_by IS NOT NULL }
                      THEN w.reason END} AS reward, COLLECT {
  MATCH (w)-[r:REWARDED]->(m:Memory)
  WHERE m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden'
  RETURN {memory_uid: m.uid, properties: properties(r)} AS found
  ORDER BY found.memory_uid, r.seq
} AS rewarded
ORDER BY reward.uid

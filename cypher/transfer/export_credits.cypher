// Credits that wait for the background, a page by uid, where memory and reward are shown too.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER
// returns: credit MAP of properties
// mode:    read
MATCH (c:Credit)
  USING INDEX c:Credit(uid)
WHERE c.uid > $after AND c.tenant = $tenant AND ($whole OR c.scope IN $scopes)
  AND EXISTS { MATCH (m:Memory {uid: c.memory_uid}) WHERE m.scope = c.scope AND m.state <> 'hidden' }
  AND EXISTS { MATCH (w:Reward {uid: c.reward_uid}) WHERE w.tenant = $tenant AND ($whole OR w.scope IN $scopes) }
WITH c ORDER BY c.uid LIMIT $limit
RETURN c {.*} AS credit
ORDER BY credit.uid

// What memories are worth in contexts, a page by uid.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER
// returns: estimate MAP of properties
// mode:    read
MATCH (e:Estimate)
  USING INDEX e:Estimate(uid)
WHERE e.uid > $after AND e.tenant = $tenant AND ($whole OR e.scope IN $scopes)
  AND EXISTS { MATCH (m:Memory)-[:ESTIMATED]->(e) WHERE m.state <> 'hidden' }
WITH e ORDER BY e.uid LIMIT $limit
RETURN e {.*} AS estimate
ORDER BY estimate.uid

// A page of estimates by uid, and those of no memory.
//
// params:  after STRING, limit INTEGER
// returns: last STRING or NULL, seen INTEGER, estimates LIST<STRING>
// mode:    read
MATCH (n:Estimate)
WHERE n.uid > $after
WITH n ORDER BY n.uid LIMIT $limit
RETURN max(n.uid) AS last, count(n) AS seen,
       collect(CASE WHEN NOT EXISTS { (:Memory)-[:ESTIMATED]->(n) } THEN n.uid END) AS estimates

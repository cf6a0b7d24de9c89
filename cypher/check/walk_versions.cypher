// A page of versions by uid, and those of no memory.
//
// params:  after STRING, limit INTEGER
// returns: last STRING or NULL, seen INTEGER, versions LIST<STRING>
// mode:    read
MATCH (n:Version)
WHERE n.uid > $after
WITH n ORDER BY n.uid LIMIT $limit
RETURN max(n.uid) AS last, count(n) AS seen,
       collect(CASE WHEN NOT EXISTS { (n)-[:VERSION_OF]->(:Memory) } THEN n.uid END) AS versions

// A page of moves between strata by uid, and those of no memory.
//
// params:  after STRING, limit INTEGER
// returns: last STRING or NULL, seen INTEGER, transitions LIST<STRING>
// mode:    read
MATCH (n:Transition)
WHERE n.uid > $after
WITH n ORDER BY n.uid LIMIT $limit
RETURN max(n.uid) AS last, count(n) AS seen,
       collect(CASE WHEN NOT EXISTS { MATCH (m:Memory {uid: n.memory_uid}) } THEN n.uid END) AS transitions

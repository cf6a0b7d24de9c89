// A page of surprises by uid, and those whose memory is gone.
//
// params:  after STRING, limit INTEGER
// returns: last STRING or NULL, seen INTEGER, surprises LIST<STRING>
// mode:    read
MATCH (n:Surprise)
WHERE n.uid > $after
WITH n ORDER BY n.uid LIMIT $limit
RETURN max(n.uid) AS last, count(n) AS seen,
       collect(CASE WHEN n.memory_uid IS NOT NULL AND NOT EXISTS { (:Memory)-[:SURPRISED_BY]->(n) }
         THEN n.uid END) AS surprises

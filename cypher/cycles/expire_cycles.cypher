// Remove expired cycles, with their visits, steps and patches.
//
// params:  now ZONED DATETIME, limit INTEGER
// returns: expired INTEGER
// mode:    write
MATCH (c:Cycle)
WHERE c.expires_at < $now
WITH c LIMIT $limit
OPTIONAL MATCH (c)-[:HAS_PHASE|HAS_STEP]->(n)
WITH c, collect(n) AS parts
OPTIONAL MATCH (c)<-[:PATCHES]-(p:Patch)
WITH c, parts, collect(p) AS patches
FOREACH (n IN parts | DETACH DELETE n)
FOREACH (p IN patches | DETACH DELETE p)
DETACH DELETE c
RETURN count(*) AS expired

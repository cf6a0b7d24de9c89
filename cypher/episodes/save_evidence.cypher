// Add evidence episodes of a concept, up to a maximum.
//
// params:  rows LIST<MAP> {concept STRING, episode STRING} (sorted), most INTEGER (of each concept)
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (c:Memory {uid: row.concept})
MATCH (e:Memory {uid: row.episode})
WHERE c.scope = e.scope AND e.erased_by IS NULL
WITH c, collect(e) AS episodes
WITH c, episodes, toInteger($most) - COUNT { (c)-[:DERIVED_FROM]->(:Episode) } AS room
UNWIND CASE WHEN room > 0 THEN episodes[..room] ELSE [] END AS e
MERGE (c)-[:DERIVED_FROM]->(e)
RETURN count(*) AS saved

// Create what memories are worth in contexts.
//
// params:  rows LIST<MAP> {memory_uid STRING, properties MAP}, tenant STRING
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.memory_uid})
WHERE m.tenant = $tenant
CREATE (m)-[:ESTIMATED]->(e:Estimate)
SET e = row.properties
RETURN count(*) AS saved

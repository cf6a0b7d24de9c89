// Put versions beside the memories that they belong to.
//
// params:  rows LIST<MAP> {memory_uid STRING, scope STRING, properties MAP}, tenant STRING
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.memory_uid})
WHERE m.scope = row.scope AND m.tenant = $tenant
CREATE (v:Version)-[:VERSION_OF]->(m)
SET v = row.properties
RETURN count(*) AS saved

// Create the nodes of an import.
//
// params:  rows LIST<MAP> {properties MAP, memory_uid STRING and scope STRING (of what belongs to a memory)},
//          tenant STRING
// returns: saved INTEGER
// mode:    write
// choices: rewards tasks credits (that wait for the background) versions (beside the memories that they belong to)
//          estimates (of what memories are worth in contexts)
UNWIND $rows AS row
//= rewards
CREATE (n:Reward)
//= tasks
//| CREATE (n:Task)
//= credits
//| CREATE (n:Credit)
//= versions estimates
//| MATCH (m:Memory {uid: row.memory_uid})
//= versions
//| WHERE m.scope = row.scope AND m.tenant = $tenant
//| CREATE (n:Version)-[:VERSION_OF]->(m)
//= estimates
//| WHERE m.tenant = $tenant
//| CREATE (m)-[:ESTIMATED]->(n:Estimate)
//=
SET n = row.properties
RETURN count(*) AS saved

// Note which memories tasks were given.
//
// params:  rows LIST<MAP> {scope STRING, task_id STRING, memory_uid STRING, phase STRING, properties MAP},
//          tenant STRING
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (t:Task {scope: row.scope, task_id: row.task_id})
WHERE t.tenant = $tenant
MATCH (m:Memory {uid: row.memory_uid})
WHERE m.tenant = $tenant
MERGE (t)-[r:RETRIEVED {phase: row.phase}]->(m)
SET r = row.properties
RETURN count(*) AS saved

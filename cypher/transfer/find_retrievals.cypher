// Which retrievals are known, and whether their tasks and memories are there.
//
// params:  rows LIST<MAP> {scope STRING, task_id STRING, memory_uid STRING, phase STRING}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (t:Task {scope: row.scope, task_id: row.task_id})
WHERE t.tenant = $tenant
OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
WHERE m.tenant = $tenant
RETURN place, CASE WHEN t IS NULL THEN 'task_id' WHEN m IS NULL THEN 'memory_uid' END AS missing,
       false AS taken, EXISTS { (t)-[r:RETRIEVED]->(m) WHERE r.phase = row.phase } AS known
ORDER BY place

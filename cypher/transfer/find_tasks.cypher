// Which tasks are known.
//
// params:  rows LIST<MAP> {scope STRING, task_id STRING}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (t:Task {scope: row.scope, task_id: row.task_id})
WHERE t.tenant = $tenant
RETURN place, null AS missing, false AS taken, t IS NOT NULL AS known
ORDER BY place

// Which rewards are known.
//
// params:  rows LIST<MAP> {uid STRING, scope STRING, task_id STRING or NULL}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (w:Reward {uid: row.uid})
RETURN place, null AS missing,
       w IS NOT NULL AND (w.tenant <> $tenant OR w.scope <> row.scope
         OR coalesce(w.task_id, '') <> coalesce(row.task_id, ''))
         AS taken, w IS NOT NULL AS known
ORDER BY place

// Which memories have an estimate for a context, and whether the memories are there.
//
// params:  rows LIST<MAP> {scope STRING, memory_uid STRING, context STRING}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
WHERE m.tenant = $tenant AND m.scope = row.scope
OPTIONAL MATCH (e:Estimate {memory_uid: row.memory_uid, context: row.context})
RETURN place, CASE WHEN m IS NULL THEN 'memory_uid' END AS missing, false AS taken,
       e IS NOT NULL AS known
ORDER BY place

// Which versions are known, and whether the memories that they belong to are there.
//
// params:  rows LIST<MAP> {uid STRING, memory_uid STRING, scope STRING}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
WHERE m.scope = row.scope AND m.tenant = $tenant
OPTIONAL MATCH (v:Version {uid: row.uid})
RETURN place, CASE WHEN m IS NULL THEN 'memory_uid' END AS missing,
       v IS NOT NULL AND (v.scope <> row.scope OR v.memory_uid <> row.memory_uid) AS taken,
       v IS NOT NULL AS known
ORDER BY place

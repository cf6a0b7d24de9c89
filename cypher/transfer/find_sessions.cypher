// Which sessions are known, and began no later than is said.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, started_at ZONED}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (s:Session {scope: row.scope, session_id: row.session_id})
WHERE s.tenant = $tenant
RETURN place, null AS missing, false AS taken,
       s IS NOT NULL AND s.started_at <= row.started_at AS known
ORDER BY place

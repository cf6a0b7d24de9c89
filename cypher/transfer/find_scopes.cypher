// Which owners are known, since then or earlier and with all who are said to speak there.
//
// params:  rows LIST<MAP> {scope STRING, speakers LIST, created_at ZONED or NULL}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (s:Scope {scope: row.scope})
WHERE s.tenant = $tenant
RETURN place, null AS missing, false AS taken,
       s IS NOT NULL AND coalesce(s.created_at <= row.created_at, true) AND (size(s.speakers) >= 200
         OR all(name IN row.speakers WHERE name IN s.speakers)) AS known
ORDER BY place

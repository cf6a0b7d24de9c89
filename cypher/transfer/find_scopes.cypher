// Which owners are known, with all who are said to speak there.
//
// params:  rows LIST<MAP> {scope STRING, speakers LIST}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (s:Scope {scope: row.scope})
WHERE s.tenant = $tenant
RETURN place, null AS missing, false AS taken,
       s IS NOT NULL AND (size(s.speakers) >= 200
         OR all(name IN row.speakers WHERE name IN s.speakers)) AS known
ORDER BY place

// Which memberships are known, and whether agents and channels are there.
//
// params:  rows LIST<MAP> {scope STRING (of the agent), channel STRING}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (a:Scope {scope: row.scope})
WHERE a.tenant = $tenant
OPTIONAL MATCH (c:Scope {scope: row.channel})
WHERE c.tenant = $tenant
RETURN place, CASE WHEN a IS NULL THEN 'scope' WHEN c IS NULL THEN 'channel' END AS missing,
       false AS taken, EXISTS { (a)-[:MEMBER_OF]->(c) } AS known
ORDER BY place

// Which relationships of agents are known, and whether both are there.
//
// params:  rows LIST<MAP> {scope STRING, other STRING (of the agents)}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (a:Scope {scope: row.scope})
WHERE a.tenant = $tenant
OPTIONAL MATCH (o:Scope {scope: row.other})
WHERE o.tenant = $tenant
RETURN place, CASE WHEN a IS NULL THEN 'scope' WHEN o IS NULL THEN 'other' END AS missing,
       false AS taken, EXISTS { (a)-[:RELATES_TO]->(o) } AS known
ORDER BY place

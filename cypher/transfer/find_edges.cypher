// Which links are known, and whether both ends are there, in one scope; a copy's leads to another scope.
//
// params:  rows LIST<MAP> {from STRING, to STRING, edge STRING}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (a:Memory {uid: row.from})
WHERE a.tenant = $tenant
OPTIONAL MATCH (b:Memory {uid: row.to})
WHERE b.tenant = $tenant AND (b.scope = a.scope OR row.edge = 'PUBLISHED_FROM')
RETURN place, CASE WHEN a IS NULL THEN 'from' WHEN b IS NULL THEN 'to' END AS missing,
       false AS taken, EXISTS { (a)-[edge]->(b) WHERE type(edge) = row.edge } AS known
ORDER BY place

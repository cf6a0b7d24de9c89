// Note how agents stand to each other.
//
// params:  rows LIST<MAP> {scope STRING, other STRING (of the agents), properties MAP} (sorted), tenant STRING
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (a:Scope {scope: row.scope})
WHERE a.tenant = $tenant
MATCH (o:Scope {scope: row.other})
WHERE o.tenant = $tenant
MERGE (a)-[r:RELATES_TO]->(o)
ON CREATE SET r = row.properties
RETURN count(*) AS saved

// Make agents members of channels, since when they were it.
//
// params:  rows LIST<MAP> {scope STRING (of the agent), channel STRING, properties MAP} (sorted), tenant STRING
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (a:Scope {scope: row.scope})
WHERE a.tenant = $tenant
MATCH (c:Scope {scope: row.channel})
WHERE c.tenant = $tenant
MERGE (a)-[m:MEMBER_OF]->(c)
ON CREATE SET m = row.properties
RETURN count(*) AS saved

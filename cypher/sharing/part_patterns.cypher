// Unlink locked patterns of a channel from those of an agent.
//
// params:  rows LIST<MAP> {uid STRING, original STRING}
// returns: parted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (p:Memory {uid: row.uid})-[from:PUBLISHED_FROM]->(m:Memory {uid: row.original})
OPTIONAL MATCH (m)-[shared:SHARED_WITH]->(:Scope {scope: p.scope})
WHERE NOT EXISTS { (m)<-[:PUBLISHED_FROM]-(other:Memory {scope: p.scope}) WHERE other <> p }
DELETE from, shared
RETURN count(*) AS parted

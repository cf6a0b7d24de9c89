// Join memories to terms, or part them.
//
// params:  rows LIST<MAP> {uid STRING, scope STRING, name STRING}
// returns: save: joined INTEGER; delete: parted INTEGER
// mode:    write
// choices: save (join memories to terms of their scope) delete (part them)
UNWIND $rows AS row
//= save
MATCH (m:Memory {uid: row.uid})
MATCH (t:Term {scope: row.scope, name: row.name})
WHERE m.scope = t.scope
CREATE (m)-[:MENTIONS]->(t)
RETURN count(*) AS joined
//= delete
//| MATCH (m:Memory {uid: row.uid})-[r:MENTIONS]->(t:Term {scope: row.scope, name: row.name})
//| DELETE r
//| RETURN count(*) AS parted
//=

// Join memories to terms of their scope.
//
// params:  rows LIST<MAP> {uid STRING, scope STRING, name STRING}
// returns: joined INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
MATCH (t:Term {scope: row.scope, name: row.name})
WHERE m.scope = t.scope
CREATE (m)-[:MENTIONS]->(t)
RETURN count(*) AS joined

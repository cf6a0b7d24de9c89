// Remove mentions of terms.
//
// params:  rows LIST<MAP> {uid STRING, scope STRING, name STRING}
// returns: parted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})-[r:MENTIONS]->(t:Term {scope: row.scope, name: row.name})
DELETE r
RETURN count(*) AS parted

// Count the mentions of locked terms anew; those that nothing mentions go.
//
// params:  rows LIST<MAP> {scope STRING, name STRING} (sorted)
// returns: counted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (n:Term {scope: row.scope, name: row.name})
WITH n, COUNT { (n)<-[:MENTIONS]-(:Memory) } AS mentions
SET n.document_frequency = mentions
FOREACH (_ IN CASE WHEN mentions = 0 THEN [1] ELSE [] END | DETACH DELETE n)
RETURN count(*) AS counted

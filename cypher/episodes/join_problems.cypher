// Have problems require concepts of their scope.
//
// params:  rows LIST<MAP> {problem STRING, concept STRING} (sorted)
// returns: joined INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (p:Memory {uid: row.problem})
MATCH (c:Memory {uid: row.concept})
WHERE c.scope = p.scope
MERGE (p)-[:REQUIRES]->(c)
RETURN count(*) AS joined

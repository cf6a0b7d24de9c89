// Join locked attempts to the concepts that their problems require, if they still do.
//
// params:  rows LIST<MAP> {episode STRING, concept STRING} (sorted)
// returns: joined INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (e:Memory {uid: row.episode})
MATCH (c:Memory {uid: row.concept})
WHERE EXISTS { (e)-[:SOLVED|ATTEMPTED]->(:Problem)-[:REQUIRES]->(c) }
MERGE (e)-[:USED]->(c)
RETURN count(*) AS joined

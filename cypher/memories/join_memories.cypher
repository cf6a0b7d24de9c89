// Link memories, each pair once.
//
// params:  rows LIST<MAP> {from STRING (uid; similar: the lower), to STRING; similar: similarity FLOAT [-1, 1]; mentions: scope
//          STRING, to STRING (name)} (sorted)
// returns: joined INTEGER
// mode:    write
// choices: similar (near in meaning) mentions (terms of their scope) required (concepts, by problems) used (concepts that
//          their problems still require, by attempts)
UNWIND $rows AS row
MATCH (a:Memory {uid: row.from})
//= similar required used
MATCH (b:Memory {uid: row.to})
//= mentions
//| MATCH (b:Term {scope: row.scope, name: row.to})
//= similar mentions required
WHERE a.scope = b.scope
//= similar
  AND NOT EXISTS { (a)-[:SIMILAR_TO]-(b) }
CREATE (a)-[:SIMILAR_TO {similarity: row.similarity}]->(b)
//= mentions
//| CREATE (a)-[:MENTIONS]->(b)
//= required
//| MERGE (a)-[:REQUIRES]->(b)
//= used
//| WHERE EXISTS { (a)-[:SOLVED|ATTEMPTED]->(:Problem)-[:REQUIRES]->(b) }
//| MERGE (a)-[:USED]->(b)
//=
RETURN count(*) AS joined

// Join pairs of memories of one scope that are near in meaning, each pair once.
//
// params:  pairs LIST<MAP> {from STRING (the lower uid), to STRING, similarity FLOAT [-1, 1]}
// returns: joined INTEGER
// mode:    write
UNWIND $pairs AS pair
MATCH (a:Memory {uid: pair.from})
MATCH (b:Memory {uid: pair.to})
WHERE a.scope = b.scope AND NOT EXISTS { (a)-[:SIMILAR_TO]-(b) }
CREATE (a)-[:SIMILAR_TO {similarity: pair.similarity}]->(b)
RETURN count(*) AS joined

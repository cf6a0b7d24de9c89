// Join pairs of memories that follow each other at the end of a session.
//
// params:  pairs LIST<MAP> {from STRING, to STRING}
// returns: joined INTEGER
// mode:    write
UNWIND $pairs AS pair
MATCH (a:Memory {uid: pair.from})
MATCH (b:Memory {uid: pair.to})
CREATE (a)-[:NEXT]->(b)
RETURN count(*) AS joined

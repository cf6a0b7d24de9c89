// Join memories of one scope by typed edges.
//
// params:  links LIST<MAP> {from STRING, to STRING, type STRING}
// returns: linked INTEGER
// mode:    write
CYPHER 25
UNWIND $links AS link
MATCH (a:Memory {uid: link.from})
MATCH (b:Memory {uid: link.to})
WHERE a.scope = b.scope
MERGE (a)-[:$(link.type)]->(b)
RETURN count(*) AS linked

// Join memories of one scope by typed edges, and count the links of each, so that hubs are known.
//
// params:  links LIST<MAP> {from STRING, to STRING, type STRING}
// returns: linked INTEGER
// mode:    write
CYPHER 25
UNWIND $links AS link
MATCH (a:Memory {uid: link.from})
MATCH (b:Memory {uid: link.to})
WHERE a.scope = b.scope
MERGE (a)-[edge:$(link.type)]->(b)
ON CREATE SET edge.new = true
WITH a, b, edge
WHERE edge.new
REMOVE edge.new
SET a.link_count = coalesce(a.link_count, 0) + 1, b.link_count = coalesce(b.link_count, 0) + 1
RETURN count(*) AS linked

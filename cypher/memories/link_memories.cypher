// Link memories of one scope by typed edges, and count the links of each, by which hubs are known.
//
// params:  links LIST<MAP> {from STRING, to STRING, type STRING, recounts BOOLEAN or NULL (what an edge is new to is told)}
// returns: relinked LIST<STRING> (the ends of such edges that are new)
// mode:    write
CYPHER 25
UNWIND $links AS link
MATCH (a:Memory {uid: link.from})
MATCH (b:Memory {uid: link.to})
WHERE a.scope = b.scope
MERGE (a)-[edge:$(link.type)]->(b)
ON CREATE SET edge.new = true
WITH a, b, edge, link
// existing edges are not counted
WHERE edge.new
REMOVE edge.new
SET a.link_count = coalesce(a.link_count, 0) + 1, b.link_count = coalesce(b.link_count, 0) + 1
RETURN collect(DISTINCT CASE WHEN link.recounts THEN b.uid END) AS relinked

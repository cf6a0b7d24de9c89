// Join memories of one scope by typed edges with what they say, and count the links of each.
//
// params:  rows LIST<MAP> {from STRING, to STRING, edge STRING, properties MAP}, tenant STRING
// returns: saved INTEGER
// mode:    write
CYPHER 25
UNWIND $rows AS row
MATCH (a:Memory {uid: row.from})
MATCH (b:Memory {uid: row.to})
WHERE a.scope = b.scope AND a.tenant = $tenant
MERGE (a)-[edge:$(row.edge)]->(b)
ON CREATE SET edge.new = true
WITH a, b, edge, row
WHERE edge.new
SET edge = row.properties
SET a.link_count = coalesce(a.link_count, 0) + 1, b.link_count = coalesce(b.link_count, 0) + 1
RETURN count(*) AS saved

// Link memories of one scope by typed edges with properties, and count the links of each except to sources and replaced
// memories; link copies to their originals, and these to the channel.
//
// params:  rows LIST<MAP> {from STRING, to STRING, edge STRING, properties MAP}, tenant STRING
// returns: saved INTEGER
// mode:    write
CYPHER 25
UNWIND $rows AS row
MATCH (a:Memory {uid: row.from})
MATCH (b:Memory {uid: row.to})
WHERE (a.scope = b.scope OR row.edge = 'PUBLISHED_FROM') AND a.tenant = $tenant AND b.tenant = $tenant
MERGE (a)-[edge:$(row.edge)]->(b)
ON CREATE SET edge.new = true
WITH a, b, edge, row
WHERE edge.new
SET edge = row.properties
FOREACH (_ IN CASE WHEN row.edge = 'CONTRADICTS' THEN [1] ELSE [] END | SET edge.scope = a.scope)
WITH a, b, row.edge = 'PUBLISHED_FROM' AS copy,
     CASE WHEN row.edge IN ['PUBLISHED_FROM', 'PROMOTED_FROM', 'SUPERSEDES', 'DISTINCT_FROM', 'CONTRADICTS'] THEN 0 ELSE 1 END AS links
SET a.link_count = coalesce(a.link_count, 0) + links, b.link_count = coalesce(b.link_count, 0) + links
WITH a, b, copy
CALL (a, b, copy) {
  WITH a, b, copy
  WHERE copy
  MATCH (channel:Scope {scope: a.scope})
  MERGE (b)-[shared:SHARED_WITH]->(channel)
  SET shared.published_at = a.published_at
  RETURN count(*) AS shared
}
RETURN count(*) AS saved

// Remove one memory with its versions, and join what stood before and after it in its session.
//
// What it was linked to counts its links down.
//
// params:  uid STRING
// returns: neighbours LIST<STRING>, whose context has changed
// mode:    write
MATCH (m:Memory {uid: $uid})
OPTIONAL MATCH (before:Memory)-[:NEXT]->(m)
OPTIONAL MATCH (m)-[:NEXT]->(after:Memory)
OPTIONAL MATCH (v:Version)-[:VERSION_OF]->(m)
WITH m, before, after, collect(v) AS versions
CALL (m) {
  MATCH (m)-[:SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM]-(linked:Memory)
  WITH linked, count(*) AS links
  ORDER BY linked.uid
  SET linked.link_count = coalesce(linked.link_count, 0) - links
}
FOREACH (v IN versions | DETACH DELETE v)
DETACH DELETE m
FOREACH (_ IN CASE WHEN before IS NOT NULL AND after IS NOT NULL THEN [1] ELSE [] END |
  MERGE (before)-[:NEXT]->(after))
RETURN [n IN [before, after] WHERE n IS NOT NULL | n.uid] AS neighbours

// Remove one memory with its versions, and join what stood before and after it in its session.
//
// params:  uid STRING
// returns: neighbours LIST<STRING>, whose context has changed
// mode:    write
MATCH (m:Memory {uid: $uid})
OPTIONAL MATCH (before:Memory)-[:NEXT]->(m)
OPTIONAL MATCH (m)-[:NEXT]->(after:Memory)
OPTIONAL MATCH (v:Version)-[:VERSION_OF]->(m)
WITH m, before, after, collect(v) AS versions
FOREACH (v IN versions | DETACH DELETE v)
DETACH DELETE m
FOREACH (_ IN CASE WHEN before IS NOT NULL AND after IS NOT NULL THEN [1] ELSE [] END |
  MERGE (before)-[:NEXT]->(after))
RETURN [n IN [before, after] WHERE n IS NOT NULL | n.uid] AS neighbours

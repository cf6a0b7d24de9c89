// Store a patch of a cycle with its evidence and its attempt, or find the one with its number.
//
// params:  cycle STRING (uid), number INTEGER, values MAP of properties, scopes LIST<STRING>,
//          evidence LIST<MAP> {uid STRING, kind STRING, weight FLOAT} (sorted by uid), episode STRING (uid; empty: none),
//          errors LIST<MAP> {uid STRING (key of an error of a tool), kind STRING, weight FLOAT, text STRING} (sorted by uid)
// returns: patch MAP of properties
// mode:    write
MATCH (c:Cycle {uid: $cycle})
SET c.asked_at = datetime.realtime()
MERGE (p:Patch {cycle_uid: $cycle, number: $number})
ON CREATE SET p += $values
WITH c, p, p.uid = $values.uid AND NOT EXISTS { (p)-[:PATCHES]->() } AS new
CALL (c, p, new) {
  WITH c, p, new WHERE new
  CREATE (p)-[:PATCHES]->(c)
}
CALL (p, new) {
  UNWIND CASE WHEN new THEN $evidence ELSE [] END AS row
  MATCH (m:Memory {uid: row.uid})
  WHERE m.scope IN $scopes
  CREATE (p)-[:RESTS_ON {kind: row.kind, weight: row.weight}]->(m)
}
CALL (p, new) {
  UNWIND CASE WHEN new THEN $errors ELSE [] END AS row
  MATCH (e:ToolError {scope: $values.scope, key: row.uid})
  CREATE (p)-[:RESTS_ON {kind: row.kind, weight: row.weight, text: row.text}]->(e)
}
CALL (p, new) {
  MATCH (e:Memory {uid: $episode})
  WHERE new AND e.scope IN $scopes
  CREATE (p)-[:REPAIRS]->(e)
}
RETURN p {.*} AS patch

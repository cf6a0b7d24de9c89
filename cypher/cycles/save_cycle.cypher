// Write the state of a locked cycle, with a visit or a step of it.
//
// params:  uid STRING, values MAP of properties, node MAP of properties, given LIST<MAP> {uid STRING, rank INTEGER,
//          score FLOAT, order STRING} (sorted by uid), used LIST<STRING> (sorted), scopes LIST<STRING>,
//          note STRING (uid of the memory that a step wrote; empty: none)
// returns: saved INTEGER
// mode:    write
// choices: visit step cycle (alone)
MATCH (c:Cycle {uid: $uid})
SET c += $values
//= visit
CREATE (c)-[:HAS_PHASE]->(n:CyclePhase)
SET n = $node
WITH n
CALL (n) {
  UNWIND $given AS row
  MATCH (m:Memory {uid: row.uid})
  // memories of other scopes are never linked, even if a client names them
  WHERE m.scope IN $scopes
  CREATE (n)-[:GAVE {rank: row.rank, score: row.score, order: row.order, used: false}]->(m)
}
//= step
//| CREATE (c)-[:HAS_STEP]->(n:CycleStep)
//| SET n = $node
//| WITH c, n
//| CALL (c) {
//|   MATCH (c)-[:HAS_PHASE]->(:CyclePhase)-[g:GAVE]->(m:Memory)
//|   WHERE m.uid IN $used
//|   SET g.used = true
//| }
//| CALL (n) {
//|   MATCH (m:Memory {uid: $note})
//|   WHERE m.scope IN $scopes
//|   CREATE (n)-[:WROTE]->(m)
//| }
//= cycle
//| WITH c
//=
RETURN count(*) AS saved

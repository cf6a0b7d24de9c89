// Create the cycles of an import, and what belongs to them.
//
// params:  rows LIST<MAP> {properties MAP, cycle_uid STRING (of what belongs to a cycle), given LIST<MAP>, note_uid STRING,
//          evidence LIST<MAP>, repaired STRING}, tenant STRING
// returns: saved INTEGER
// mode:    write
// choices: cycles visits (with the memories given that are there) steps (with the memory that they wrote) patches (with
//          what they rest on and repair)
UNWIND $rows AS row
//= cycles
CREATE (n:Cycle)
SET n = row.properties
//= visits steps patches
//| MATCH (c:Cycle {uid: row.cycle_uid})
//| WHERE c.tenant = $tenant
//= visits
//| CREATE (c)-[:HAS_PHASE]->(n:CyclePhase)
//= steps
//| CREATE (c)-[:HAS_STEP]->(n:CycleStep)
//= patches
//| CREATE (c)<-[:PATCHES]-(n:Patch)
//= visits steps patches
//| SET n = row.properties
//| WITH n, row
//= visits
//| CALL (n, row) {
//|   UNWIND row.given AS each
//|   MATCH (m:Memory {uid: each.uid})
//|   WHERE m.tenant = $tenant
//|   CREATE (n)-[:GAVE {rank: each.rank, score: each.score, order: each.order, used: each.used}]->(m)
//| }
//= steps
//| CALL (n, row) {
//|   MATCH (m:Memory {uid: row.note_uid})
//|   WHERE m.tenant = $tenant
//|   CREATE (n)-[:WROTE]->(m)
//| }
//= patches
//| CALL (n, row) {
//|   UNWIND row.evidence AS each
//|   MATCH (m:Memory {uid: each.uid})
//|   WHERE m.tenant = $tenant
//|   CREATE (n)-[:RESTS_ON {kind: each.kind, weight: each.weight}]->(m)
//| }
//| CALL (n, row) {
//|   MATCH (m:Memory {uid: row.repaired})
//|   WHERE m.tenant = $tenant
//|   CREATE (n)-[:REPAIRS]->(m)
//| }
//=
RETURN count(*) AS saved

// Create the nodes of an import.
//
// params:  rows LIST<MAP> {properties MAP; what belongs to a memory: memory_uid STRING, scope STRING; to a cycle: cycle_uid
//          STRING, given LIST<MAP>, note_uid STRING, evidence LIST<MAP>, repaired STRING}, tenant STRING
// returns: saved INTEGER
// mode:    write
// choices: rewards tasks credits (that wait for the background) cycles versions (beside the memories that they belong to)
//          estimates (of what memories are worth in contexts) visits (with the memories given that are there) steps (with
//          the memory that they wrote) patches (with what they rest on and repair)
UNWIND $rows AS row
//= rewards
CREATE (n:Reward)
//= tasks
//| CREATE (n:Task)
//= credits
//| CREATE (n:Credit)
//= cycles
//| CREATE (n:Cycle)
//= versions estimates
//| MATCH (m:Memory {uid: row.memory_uid})
//= versions
//| WHERE m.scope = row.scope AND m.tenant = $tenant
//| CREATE (n:Version)-[:VERSION_OF]->(m)
//= estimates
//| WHERE m.tenant = $tenant
//| CREATE (m)-[:ESTIMATED]->(n:Estimate)
//= visits steps patches
//| MATCH (c:Cycle {uid: row.cycle_uid})
//| WHERE c.tenant = $tenant
//= visits
//| CREATE (c)-[:HAS_PHASE]->(n:CyclePhase)
//= steps
//| CREATE (c)-[:HAS_STEP]->(n:CycleStep)
//= patches
//| CREATE (c)<-[:PATCHES]-(n:Patch)
//=
SET n = row.properties
//= visits steps patches
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

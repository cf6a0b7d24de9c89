// Cycles of reasoning with what belongs to them, a page of one sort by uid.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER
// returns: cycles: cycle MAP of properties; visits: visit MAP of properties with given LIST<MAP> {uid STRING, rank INTEGER,
//          score FLOAT, order STRING, used BOOLEAN}; steps: step MAP of properties; patches: patch MAP of properties with
//          evidence LIST<MAP> {uid STRING, kind STRING, weight FLOAT} and repaired STRING, kept BOOLEAN (all that it quotes is
//          shown, and none of it is an error of a tool)
// mode:    read
// choices: cycles visits (with the memories that they were given) steps patches (with what they rest on)
//= cycles
MATCH (n:Cycle)
  USING INDEX n:Cycle(uid)
//= visits
//| MATCH (n:CyclePhase)
//|   USING INDEX n:CyclePhase(uid)
//= steps
//| MATCH (n:CycleStep)
//|   USING INDEX n:CycleStep(uid)
//= patches
//| MATCH (n:Patch)
//|   USING INDEX n:Patch(uid)
//=
WHERE n.uid > $after AND n.tenant = $tenant AND ($whole OR n.scope IN $scopes)
WITH n ORDER BY n.uid LIMIT $limit
//= cycles
RETURN n {.*} AS cycle
ORDER BY cycle.uid
//= visits
//| RETURN n {.*, given: COLLECT {
//|   MATCH (n)-[g:GAVE]->(m:Memory)
//|   WHERE m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden'
//|   RETURN {uid: m.uid, rank: g.rank, score: g.score, order: g.order, used: g.used} AS given
//|   ORDER BY given.rank, given.uid
//| }} AS visit
//| ORDER BY visit.uid
//= steps
//| RETURN n {.*} AS step
//| ORDER BY step.uid
//= patches
//| RETURN n {.*, evidence: COLLECT {
//|   MATCH (n)-[r:RESTS_ON]->(m:Memory)
//|   WITH m, r ORDER BY m.uid
//|   RETURN {uid: m.uid, kind: r.kind, weight: r.weight}
//| }, repaired: head(COLLECT {
//|   MATCH (n)-[:REPAIRS]->(e:Memory)
//|   WHERE e.tenant = $tenant AND ($whole OR e.scope IN $scopes) AND e.state <> 'hidden'
//|   RETURN e.uid
//| })} AS patch, NOT EXISTS {
//|   MATCH (n)-[:RESTS_ON]->(m)
//|   WHERE NOT (m:Memory AND m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden')
//| } AS kept
//| ORDER BY patch.uid
//=

// Visits and steps of a cycle, in their order, with the memories given that the reader sees.
//
// params:  uid STRING, scopes LIST<STRING>
// returns: visits LIST<MAP> of properties with given LIST<LIST>, steps LIST<MAP> of properties
// mode:    read
MATCH (c:Cycle {uid: $uid})
WHERE c.scope IN $scopes
RETURN COLLECT {
  MATCH (c)-[:HAS_PHASE]->(p:CyclePhase)
  WITH p ORDER BY p.position
  RETURN p {.*, given: COLLECT {
    MATCH (p)-[g:GAVE]->(m:Memory)
    WHERE m.scope IN $scopes AND m.state <> 'hidden'
    WITH m, g ORDER BY g.rank, m.uid
    RETURN [m.uid, g.rank, g.score, g.order, g.used]
  }}
} AS visits,
COLLECT {
  MATCH (c)-[:HAS_STEP]->(s:CycleStep)
  WITH s ORDER BY s.position
  RETURN s {.*}
} AS steps

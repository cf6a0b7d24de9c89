// Find the visit or the step with a key in a locked cycle.
//
// params:  uid STRING, key STRING, scopes LIST<STRING>
// returns: done MAP of properties, given LIST<LIST>
// mode:    read
// choices: visit step
//= visit
MATCH (n:CyclePhase {cycle_uid: $uid, key: $key})
//= step
//| MATCH (n:CycleStep {cycle_uid: $uid, key: $key})
//=
RETURN n {.*} AS done, COLLECT {
  MATCH (n)-[g:GAVE]->(m:Memory)
  WHERE m.scope IN $scopes AND m.state <> 'hidden'
  WITH m, g ORDER BY g.rank, m.uid
  RETURN [m.uid, g.rank, g.score, g.order, g.used]
} AS given

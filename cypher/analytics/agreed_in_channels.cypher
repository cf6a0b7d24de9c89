// What agents of channels agree on, and who says otherwise
//
// params:  scope STRING (such as channel/support; '' is every channel), limit INTEGER (> 0, rows at most)
// returns: channel STRING, statement STRING, supporters LIST<STRING>, opponents LIST<STRING>, agrees INTEGER, disagrees INTEGER
//          (votes), uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (a:Memory)-[:DERIVED_FROM]->(m:Memory)
WHERE a.source_type = 'agreement' AND a.made_by IS NOT NULL AND a.scope ENDS WITH $scope
WITH a, collect(m) AS held
WITH a, held, COLLECT {
  UNWIND held AS m
  MATCH (m)-[:CONTRADICTS]-(o:Memory)
  RETURN DISTINCT o.agent_id
} AS opponents, COLLECT {
  UNWIND held AS m
  MATCH (w:Scope)-[v:VOTED]->(m)
  RETURN DISTINCT [w.scope, v.agrees]
} AS votes
RETURN a.scope AS channel, a.text AS statement,
       COLLECT { UNWIND held AS m RETURN DISTINCT m.agent_id } AS supporters, opponents,
       size([vote IN votes WHERE vote[1]]) AS agrees, size([vote IN votes WHERE NOT vote[1]]) AS disagrees, a.uid AS uid
ORDER BY size(supporters) DESC, channel, uid
LIMIT toInteger($limit)

// What agents of channels agree on, and who says otherwise
//
// params:  scope STRING (such as channel/support; '' is every channel), limit INTEGER (> 0, rows at most)
// returns: channel STRING, statement STRING, supporters and opponents LIST<STRING> (by statement or vote), agrees INTEGER, disagrees INTEGER
//          (votes), uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (a:Memory)-[:DERIVED_FROM]->(m:Memory)
WHERE a.source_type = 'agreement' AND a.made_by IS NOT NULL AND a.scope ENDS WITH $scope
WITH a, collect(m) AS held
WITH a, held, COLLECT {
  UNWIND held AS m
  MATCH (w:Scope)-[v:VOTED]->(m)
  RETURN DISTINCT [split(w.scope, '/agent/')[1], v.agrees]
} AS votes
WITH a, votes, COLLECT {
  UNWIND [m IN held | m.agent_id] + [vote IN votes WHERE vote[1] | vote[0]] AS agent
  RETURN DISTINCT agent ORDER BY agent
} AS supporters, COLLECT {
  UNWIND held AS m
  MATCH (m)-[:CONTRADICTS]-(o:Memory)
  RETURN DISTINCT o.agent_id AS agent ORDER BY agent
} AS contradicting
RETURN a.scope AS channel, a.text AS statement, supporters,
       contradicting + [vote IN votes WHERE NOT vote[1] AND NOT vote[0] IN contradicting | vote[0]] AS opponents,
       size([vote IN votes WHERE vote[1]]) AS agrees, size([vote IN votes WHERE NOT vote[1]]) AS disagrees, a.uid AS uid
ORDER BY size(supporters) DESC, channel, uid
LIMIT toInteger($limit)

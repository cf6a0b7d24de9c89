// Evidence, drawn: what was derived from what
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: path PATH
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH path = (m:Memory)-[:DERIVED_FROM]->(source:Memory)
WHERE m.scope ENDS WITH $scope
RETURN path
ORDER BY m.q_value DESC, m.uid, source.uid
LIMIT toInteger($limit)

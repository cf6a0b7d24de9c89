// Terms: names and key phrases, by how many memories mention them
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: term STRING, memories INTEGER (document frequency), mean_q FLOAT [0, 1], scope STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (t:Term)
WHERE t.scope ENDS WITH $scope
WITH t
ORDER BY t.document_frequency DESC, t.scope, t.name
LIMIT toInteger($limit)
MATCH (t)<-[:MENTIONS]-(m:Memory)
RETURN t.display AS term, t.document_frequency AS memories,
       round(avg(m.q_value), 3) AS mean_q, t.scope AS scope
ORDER BY memories DESC, scope, term

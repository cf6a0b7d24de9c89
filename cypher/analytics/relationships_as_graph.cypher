// Relationships of agents as a graph, with the trust of each in the other
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: a Agent, trusts RELATES_TO, b Agent
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (a:Agent)-[trusts:RELATES_TO]->(b:Agent)
WHERE a.scope ENDS WITH $scope OR b.scope ENDS WITH $scope
RETURN a, trusts, b
ORDER BY trusts.interactions DESC, a.scope, b.scope
LIMIT toInteger($limit)

// Problems, their attempts, and the strategies and concepts behind them, drawn
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: path PATH
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (p:Problem)
WHERE p.scope ENDS WITH $scope
WITH p, COUNT { (p)<-[:SOLVED|ATTEMPTED]-(:Episode) } AS attempts
WHERE attempts > 0
ORDER BY attempts DESC, p.uid
LIMIT toInteger($limit)
CALL (p) {
  MATCH path = (p)<-[:SOLVED|ATTEMPTED]-(:Episode)
  RETURN path
  UNION ALL
  MATCH path = (p)<-[:SOLVED|ATTEMPTED]-(:Episode)-[:USED]->(s:Memory)
  WHERE s:Strategy OR s:Concept
  RETURN path
}
RETURN path
ORDER BY attempts DESC, p.uid, length(path), [n IN nodes(path) | n.uid]
LIMIT toInteger($limit)

// Knowledge: tools by how surely they succeed, with their commonest error and what fixed it
//
// params:  scope STRING (the end of a scope, such as agent/planner; '' is everybody), limit INTEGER (> 0, rows at most)
// returns: scope STRING, tool STRING, calls INTEGER, success_rate FLOAT, confidence FLOAT, mean_ms FLOAT (null:
//          unreported), error STRING, errors INTEGER, solutions STRING (JSON), recommendations LIST<STRING>
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (t:Tool)
WHERE t.scope ENDS WITH $scope
CALL (t) {
  MATCH (t)-[:FAILED_WITH]->(e:ToolError)
  WITH e ORDER BY e.uses DESC, e.error LIMIT 1
  RETURN collect(e)[0] AS worst
}
RETURN t.scope AS scope, t.tool AS tool, t.uses AS calls, t.success_rate AS success_rate,
       t.confidence AS confidence, CASE WHEN t.timed > 0 THEN t.duration_mean END AS mean_ms,
       worst.error AS error, worst.uses AS errors, worst.solutions AS solutions,
       t.recommendations AS recommendations
ORDER BY calls DESC, tool, scope
LIMIT toInteger($limit)

// Knowledge: what executions taught, month by month: success, reuse of patterns, errors
//
// params:  scope STRING (the end of a scope, such as agent/planner; '' is everybody), limit INTEGER (> 0, rows at most)
// returns: scope STRING, executions INTEGER, pattern_reuse_rate FLOAT, error_rate FLOAT, patterns INTEGER,
//          insights INTEGER, insight_confidence FLOAT, months STRING (JSON: executions, successes, reused, calls, failed, retries)
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (k:KnowledgeBase)
WHERE k.scope ENDS WITH $scope
CALL (k) {
  MATCH (p:MemoryPattern) WHERE p.scope = k.scope AND p.key IS NOT NULL
  RETURN count(*) AS patterns
}
CALL (k) {
  MATCH (i:LearnedInsight) WHERE i.scope = k.scope AND i.key IS NOT NULL
  RETURN count(*) AS insights, avg(i.confidence) AS insight_confidence
}
RETURN k.scope AS scope, k.executions AS executions,
       toFloat(k.reused) / CASE k.executions WHEN 0 THEN 1 ELSE k.executions END AS pattern_reuse_rate,
       toFloat(k.failed_steps) / CASE k.steps WHEN 0 THEN 1 ELSE k.steps END AS error_rate,
       patterns, insights, insight_confidence, k.months AS months
ORDER BY executions DESC, scope
LIMIT toInteger($limit)

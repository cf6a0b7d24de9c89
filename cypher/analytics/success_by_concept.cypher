// Attempts: how often they are right, by concept their problem requires or they used
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: concept STRING ('' without one), attempts INTEGER, right INTEGER, wrong INTEGER,
//          success_rate FLOAT or NULL, tokens FLOAT or NULL, milliseconds FLOAT or NULL
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (e:Episode)
WHERE e.scope ENDS WITH $scope AND e.state <> 'hidden'
CALL (e) {
  MATCH (e)-[:USED]->(c:Concept) RETURN split(c.text, ': ')[0] AS concept
  UNION
  MATCH (e)-[:SOLVED|ATTEMPTED]->(:Problem)-[:REQUIRES]->(c:Concept)
  RETURN split(c.text, ': ')[0] AS concept
}
WITH e, concept
RETURN concept, count(e) AS attempts, count(CASE WHEN e.correct = 'true' THEN 1 END) AS right,
       count(CASE WHEN e.correct = 'false' THEN 1 END) AS wrong,
       round(avg(CASE e.correct WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 END), 4) AS success_rate,
       round(avg(CASE WHEN e.tokens_used >= 0 THEN e.tokens_used END), 1) AS tokens,
       round(avg(CASE WHEN e.latency_ms >= 0 THEN e.latency_ms END), 1) AS milliseconds
ORDER BY attempts DESC, concept
LIMIT toInteger($limit)

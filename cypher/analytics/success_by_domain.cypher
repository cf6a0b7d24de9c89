// Attempts: how often they are right, by domain
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: domain STRING ('' without one), attempts INTEGER, right INTEGER, wrong INTEGER,
//          success_rate FLOAT or NULL, tokens FLOAT or NULL, milliseconds FLOAT or NULL
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (e:Episode)
WHERE e.scope ENDS WITH $scope AND e.state <> 'hidden'
WITH e, coalesce(e.domain, '') AS domain
RETURN domain, count(e) AS attempts, count(CASE WHEN e.correct = 'true' THEN 1 END) AS right,
       count(CASE WHEN e.correct = 'false' THEN 1 END) AS wrong,
       round(avg(CASE e.correct WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 END), 4) AS success_rate,
       round(avg(CASE WHEN e.tokens_used >= 0 THEN e.tokens_used END), 1) AS tokens,
       round(avg(CASE WHEN e.latency_ms >= 0 THEN e.latency_ms END), 1) AS milliseconds
ORDER BY attempts DESC, domain
LIMIT toInteger($limit)

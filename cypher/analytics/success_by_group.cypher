// Attempts: how often they are right, by domain, model, strategy, concept or month (UTC)
//
// A concept counts where the attempt used it or its problem requires it; months come newest first.
//
// params:  scope STRING (such as agent/planner; '' is every scope), attempts_by STRING (domain, model, strategy, concept
//          or month), limit INTEGER (> 0, rows at most)
// returns: name STRING ('' without one), attempts INTEGER, right INTEGER, wrong INTEGER,
//          success_rate FLOAT or NULL, tokens FLOAT or NULL, milliseconds FLOAT or NULL
// mode:    read
//
// :params {scope: '', attempts_by: 'domain', limit: 100}
MATCH (e:Episode)
WHERE e.scope ENDS WITH $scope AND e.state <> 'hidden'
WITH e, CASE $attempts_by
  WHEN 'domain' THEN [coalesce(e.domain, '')]
  WHEN 'model' THEN [coalesce(e.model, '')]
  WHEN 'month' THEN [left(toString(date(datetime({datetime: e.occurred_at, timezone: 'UTC'}))), 7)]
  WHEN 'strategy' THEN [(e)-[:USED]->(s:Strategy) | s.text]
  ELSE COLLECT {
    MATCH (e)-[:USED]->(c:Concept) RETURN split(c.text, ': ')[0] AS concept
    UNION
    MATCH (e)-[:SOLVED|ATTEMPTED]->(:Problem)-[:REQUIRES]->(c:Concept)
    RETURN split(c.text, ': ')[0] AS concept
  } END AS names
UNWIND names AS name
RETURN name, count(e) AS attempts, count(CASE WHEN e.correct = 'true' THEN 1 END) AS right,
       count(CASE WHEN e.correct = 'false' THEN 1 END) AS wrong,
       round(avg(CASE e.correct WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 END), 4) AS success_rate,
       round(avg(CASE WHEN e.tokens_used >= 0 THEN e.tokens_used END), 1) AS tokens,
       round(avg(CASE WHEN e.latency_ms >= 0 THEN e.latency_ms END), 1) AS milliseconds
ORDER BY CASE $attempts_by WHEN 'month' THEN name END DESC, attempts DESC, name
LIMIT toInteger($limit)

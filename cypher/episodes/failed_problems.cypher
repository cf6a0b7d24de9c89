// The problems with wrong attempts, the most failed first, and which of them are similar.
//
// params:  scopes LIST<STRING>, states LIST<STRING>, similarity FLOAT (least cosine of a pair),
//          occurred_from ZONED DATETIME, occurred_to ZONED DATETIME, limit INTEGER (> 0, problems)
// returns: problems LIST<MAP> {uid, text, domain, failures, successes, actions, models},
//          pairs LIST of LIST<STRING> (two uids)
// mode:    read
CYPHER 25
MATCH (p:Problem)
  USING INDEX p:Problem(scope, uid)
WHERE p.scope IN $scopes AND p.uid IS NOT NULL AND p.state IN $states
MATCH (p)<-[:ATTEMPTED]-(m:Episode)
WHERE m.scope IN $scopes AND m.state IN $states AND m.correct = 'false'
  AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
WITH p, collect(m) AS failed
ORDER BY size(failed) DESC, p.uid
LIMIT $limit
WITH collect(p) AS found, collect({
  uid: p.uid, text: left(p.text, 200), domain: p.domain, failures: size(failed),
  successes: COUNT {
    MATCH (p)<-[:SOLVED]-(s:Episode)
    WHERE s.scope IN $scopes AND s.state IN $states AND s.correct = 'true'
      AND s.occurred_at >= $occurred_from AND s.occurred_at < $occurred_to },
  actions: COLLECT { UNWIND failed AS m UNWIND m.actions AS name RETURN name },
  models: [m IN failed WHERE m.model <> '' | m.model]}) AS problems
CALL (found) {
  UNWIND found AS p
  MATCH (p)-[r:SIMILAR_TO]->(q:Problem)
  WHERE r.similarity >= $similarity AND q IN found
  RETURN collect([p.uid, q.uid]) AS pairs
}
RETURN problems, pairs

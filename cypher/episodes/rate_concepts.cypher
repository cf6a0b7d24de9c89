// Count the uses of a scope's concepts, beside their stored ratings.
//
// params:  scope STRING, examples INTEGER (of each concept)
// returns: uid STRING, attempts INTEGER, successes INTEGER, examples LIST<STRING>, structured STRING or NULL,
//          written LIST [attempts, successes]
// mode:    read
MATCH (c:Concept)
WHERE c.scope = $scope AND c.uid > ''
CALL (c) {
  OPTIONAL MATCH (e:Episode)-[:USED]->(c)
  WHERE e.correct <> ''
  RETURN count(e) AS attempts, count(CASE WHEN e.correct = 'true' THEN 1 END) AS successes
}
CALL (c) {
  OPTIONAL MATCH (p:Problem)-[:REQUIRES]->(c)
  WITH p ORDER BY p.uid LIMIT $examples
  OPTIONAL MATCH (p)<-[:SOLVED|ATTEMPTED]-(e:Episode)
  WITH p, max(e.problem_id) AS problem_id
  WITH p, CASE WHEN coalesce(problem_id, '') <> '' THEN problem_id ELSE coalesce(p.external_id, p.uid) END AS name
  ORDER BY p.uid
  RETURN collect(name) AS examples
}
RETURN c.uid AS uid, attempts, successes, examples, c.structured AS structured,
       [coalesce(c.attempts, 0), coalesce(c.successes, 0)] AS written
ORDER BY uid

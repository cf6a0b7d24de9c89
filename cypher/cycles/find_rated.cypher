// Active memories of a scope that the outer loop moves: proven ones, ones that keep failing, and stale ones.
//
// Copies in channels are left out, as they follow their originals.
//
// params:  scope STRING, high FLOAT, low FLOAT, medium FLOAT, before ZONED DATETIME, limit INTEGER (of each),
//          rising LIST<STRING> (strata that proven ones leave), lasting LIST<STRING> (strata that are made abstract)
// returns: uid STRING, rule STRING
// mode:    read
CALL () {
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, q_value)
  WHERE m.scope = $scope AND m.q_value >= $high
  WITH m
  WHERE m.state = 'active' AND m.published_at IS NULL
    AND (m.stratum IN $rising AND m.success_count >= 3 OR m.stratum IN $lasting AND m.success_count >= 10)
  RETURN m.uid AS uid, CASE WHEN m.stratum IN $lasting THEN 'abstract' ELSE 'promote' END AS rule
  ORDER BY m.q_value DESC, uid
  LIMIT $limit
  UNION
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, q_value)
  WHERE m.scope = $scope AND m.q_value <= $medium
  WITH m
  WHERE m.state = 'active' AND m.published_at IS NULL AND (m.q_value <= $low AND m.failure_count >= 5
    OR m.q_count > 0 AND coalesce(m.last_accessed_at, m.recorded_at) < $before)
  RETURN m.uid AS uid,
         CASE WHEN m.q_value <= $low AND m.failure_count >= 5 THEN 'failing' ELSE 'stale' END AS rule
  ORDER BY m.q_value, uid
  LIMIT $limit
}
RETURN uid, rule
ORDER BY uid

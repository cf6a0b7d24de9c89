// Use: memories by how often they were a result, or those that never were, the oldest first
//
// Recalls of the last seconds are not counted yet: access counts are written in batches.
//
// params:  scope STRING (such as agent/planner; '' is every scope), never BOOLEAN (true: those that were no result),
//          older_than_days INTEGER (>= 0; 0 is any age), limit INTEGER (> 0, rows at most)
// returns: text STRING, kind STRING, recalled INTEGER, last_recalled_at ZONED DATETIME or NULL, q_value FLOAT [0, 1],
//          outcomes INTEGER, importance INTEGER, recorded_at ZONED DATETIME, scope STRING, uid STRING
// mode:    read
//
// :params {scope: '', never: false, older_than_days: 0, limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND (coalesce(m.access_count, 0) = 0) = $never
  AND m.recorded_at <= datetime() - duration({days: $older_than_days})
RETURN left(m.text, 120) AS text, m.kind AS kind, coalesce(m.access_count, 0) AS recalled,
       m.last_accessed_at AS last_recalled_at, round(m.q_value, 3) AS q_value, m.q_count AS outcomes,
       m.importance AS importance, m.recorded_at AS recorded_at, m.scope AS scope, m.uid AS uid
ORDER BY recalled DESC, CASE WHEN $never THEN recorded_at END, uid
LIMIT toInteger($limit)

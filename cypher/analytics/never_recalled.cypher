// Never recalled: memories that were never a result, oldest first
//
// Recalls of the last seconds are not counted yet: access counts are written in batches.
//
// params:  older_than_days INTEGER (>= 0; 0 is any age), scope STRING (such as agent/planner; '' is
//          every scope), limit INTEGER (> 0, rows at most)
// returns: text STRING, kind STRING, importance INTEGER, recorded_at ZONED DATETIME, scope STRING,
//          uid STRING
// mode:    read
//
// :params {older_than_days: 0, scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND coalesce(m.access_count, 0) = 0
  AND m.recorded_at <= datetime() - duration({days: $older_than_days})
RETURN left(m.text, 120) AS text, m.kind AS kind, m.importance AS importance,
       m.recorded_at AS recorded_at, m.scope AS scope, m.uid AS uid
ORDER BY recorded_at, uid
LIMIT toInteger($limit)

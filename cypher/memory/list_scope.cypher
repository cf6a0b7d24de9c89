// All memories of a scope until a time, the oldest first, whatever their state and validity.
//
// params:  scope STRING, until ZONED DATETIME, after_at ZONED DATETIME, after_uid STRING,
//          limit INTEGER
// returns: uid STRING, revision INTEGER, recorded_at ZONED DATETIME
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, recorded_at, uid)
WHERE m.scope = $scope AND m.recorded_at >= $after_at AND m.recorded_at < $until
  AND m.uid IS NOT NULL
  AND (m.recorded_at > $after_at OR m.uid > $after_uid)
RETURN m.uid AS uid, coalesce(m.revision, 1) AS revision, m.recorded_at AS recorded_at
ORDER BY m.scope, m.recorded_at, m.uid
LIMIT $limit

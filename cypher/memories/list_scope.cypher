// All memories of a scope until a time, in all states.
//
// params:  scope STRING, until ZONED DATETIME, after_at ZONED DATETIME, after_uid STRING, limit INTEGER
// returns: page: uid STRING, revision INTEGER, recorded_at ZONED DATETIME; count: total INTEGER
// mode:    read
// choices: page (the oldest first) count
MATCH (m:Memory)
  USING INDEX m:Memory(scope, recorded_at, uid)
//= page
WHERE m.scope = $scope AND m.recorded_at >= $after_at AND m.recorded_at < $until
  AND m.uid IS NOT NULL
  AND (m.recorded_at > $after_at OR m.uid > $after_uid)
RETURN m.uid AS uid, coalesce(m.revision, 1) AS revision, m.recorded_at AS recorded_at
ORDER BY m.scope, m.recorded_at, m.uid
LIMIT $limit
//= count
//| WHERE m.scope = $scope AND m.recorded_at < $until AND m.uid IS NOT NULL
//| RETURN count(*) AS total
//=

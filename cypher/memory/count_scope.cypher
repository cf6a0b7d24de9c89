// How many memories a scope holds until a time, whatever their state and validity.
//
// params:  scope STRING, until ZONED DATETIME
// returns: total INTEGER
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, recorded_at, uid)
WHERE m.scope = $scope AND m.recorded_at < $until AND m.uid IS NOT NULL
RETURN count(*) AS total

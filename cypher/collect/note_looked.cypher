// Note that a scope was looked at for what may go.
//
// params:  scope STRING, now ZONED DATETIME
// returns: noted INTEGER
// mode:    write
MATCH (s:Scope {scope: $scope})
SET s.collected_at = $now
RETURN count(*) AS noted

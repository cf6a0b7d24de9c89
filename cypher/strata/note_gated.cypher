// Note that the gates of a scope are looked at.
//
// params:  scope STRING, now ZONED DATETIME
// returns: noted INTEGER
// mode:    write
MATCH (s:Scope {scope: $scope})
SET s.gated_at = $now
RETURN count(*) AS noted

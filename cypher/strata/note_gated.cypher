// Note that the gates of a scope were looked at.
//
// params:  scope STRING, now ZONED DATETIME
// returns: noted INTEGER
// mode:    write
MATCH (s:Scope {scope: $scope})
SET s.gated_at = $now, s.gate_runs = coalesce(s.gate_runs, 0) + 1
RETURN count(*) AS noted

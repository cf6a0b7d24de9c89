// Note that a scope was looked at.
//
// params:  scope STRING, now ZONED DATETIME
// returns: patterns and collected and gated: noted INTEGER; counted: counted INTEGER
// mode:    write
// choices: patterns (at the patterns of a channel's members) collected (for what may go) gated (at the gates) counted
//          (a look at the gates came to its end)
MATCH (s:Scope {scope: $scope})
//= patterns
SET s.patterns_at = $now
//= collected
//| SET s.collected_at = $now
//= gated
//| SET s.gated_at = $now
//= patterns collected gated
RETURN count(*) AS noted
//= counted
//| SET s.gate_runs = coalesce(s.gate_runs, 0) + 1
//| RETURN count(*) AS counted
//=

// Note that a look at the gates of a scope came to its end.
//
// params:  scope STRING
// returns: counted INTEGER
// mode:    write
MATCH (s:Scope {scope: $scope})
SET s.gate_runs = coalesce(s.gate_runs, 0) + 1
RETURN count(*) AS counted

// Count off what waited in a locked scope for concepts.
//
// params:  scope STRING
// returns: counted INTEGER
// mode:    write
MATCH (s:Scope {scope: $scope})
WITH s, coalesce(s.solved_waiting, 0) AS counted
SET s.solved_waiting = 0
RETURN counted

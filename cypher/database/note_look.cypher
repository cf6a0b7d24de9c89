// Record that a scope was checked.
//
// params:  scope STRING, now ZONED DATETIME, version STRING or NULL (none is noted), changed BOOLEAN
// returns: patterns and collected and gated: noted INTEGER; counted: counted INTEGER; concepts: counted INTEGER (that
//          waited); rated: noted BOOLEAN
// mode:    write
// choices: patterns (at the patterns of a channel's members) collected (for what may go) gated (at the gates) counted
//          (a look at the gates came to its end) concepts (for concepts: what waited in it, locked, is counted off)
//          rated (at how its concepts fare: it gets another version, locked, and they are rated if it is still at the one
//          that was read)
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
//= concepts
//| WITH s, coalesce(s.solved_waiting, 0) AS counted
//| SET s.solved_waiting = 0
//| RETURN counted
//= rated
//| WITH s, s.version = $version AS same, CASE WHEN $changed THEN randomUUID() ELSE s.version END AS next
//| SET s.version = next, s.rated_at = $now,
//|     s.rated_version = CASE WHEN same THEN next ELSE s.rated_version END
//| RETURN coalesce(same, false) AS noted
//=

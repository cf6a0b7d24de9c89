// Note that memories of scopes were counted anew; what a scope says otherwise stays as it is.
//
// params:  scopes LIST<STRING> (sorted)
// returns: scope STRING, counted STRING, of those that are there
// mode:    write
UNWIND $scopes AS scope
MATCH (s:Scope {scope: scope})
SET s.counted = randomUUID()
RETURN s.scope AS scope, s.counted AS counted

// Give scopes another version, after something that a recall could answer from them was written.
//
// It stands late in its transaction and reads nothing: the lock of a scope is the last that a writer
// takes. A drawn version never comes back, as a count could that two writers read at once.
//
// params:  scopes LIST<STRING> (sorted)
// returns: scope STRING, version STRING, of those that are there
// mode:    write
UNWIND $scopes AS scope
MATCH (s:Scope {scope: scope})
SET s.version = randomUUID()
RETURN s.scope AS scope, s.version AS version

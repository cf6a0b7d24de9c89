// Renew the versions of scopes, after writes that recalls may return.
//
// It comes late in its transaction and reads nothing: the lock of a scope is the last that a writer takes. A random
// version never repeats, unlike a count that two writers read at once.
//
// params:  scopes LIST<STRING> (sorted)
// returns: scope STRING, version STRING, of those that are there
// mode:    write
UNWIND $scopes AS scope
MATCH (s:Scope {scope: scope})
SET s.version = randomUUID()
RETURN s.scope AS scope, s.version AS version

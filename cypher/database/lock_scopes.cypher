// Lock scopes in the order given, by a write that reads nothing: what they hold is read after.
//
// params:  scopes LIST<STRING> (sorted)
// returns: locked INTEGER
// mode:    write
UNWIND $scopes AS scope
MATCH (s:Scope {scope: scope})
SET s.asked_at = datetime.realtime()
RETURN count(*) AS locked

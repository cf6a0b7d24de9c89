// Read the speakers of scopes.
//
// params:  scopes LIST<STRING>
// returns: scope STRING, speakers LIST<STRING>
// mode:    read
UNWIND $scopes AS scope
MATCH (s:Scope {scope: scope})
RETURN s.scope AS scope, s.speakers AS speakers

// Count the episodes of scopes, in any state, and their bytes.
//
// Under the locks of the scopes it is exact: writers of episodes take them before they commit.
//
// params:  scopes LIST<STRING>
// returns: scope STRING, episodes INTEGER, bytes INTEGER
// mode:    read
UNWIND $scopes AS scope
MATCH (e:Episode)
WHERE e.scope = scope AND e.state IN ['active', 'archived', 'hidden'] AND e.stored_bytes >= 0
RETURN scope, count(*) AS episodes, sum(e.stored_bytes) AS bytes

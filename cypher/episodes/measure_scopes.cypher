// Count the episodes of scopes, in whatever state, and their bytes.
//
// Read under the locks of the scopes, it is exact: whoever writes an episode takes them before it commits.
//
// params:  scopes LIST<STRING>
// returns: scope STRING, episodes INTEGER, bytes INTEGER
// mode:    read
UNWIND $scopes AS scope
MATCH (e:Episode)
WHERE e.scope = scope AND e.state IN ['active', 'archived', 'hidden'] AND e.stored_bytes >= 0
RETURN scope, count(*) AS episodes, sum(e.stored_bytes) AS bytes

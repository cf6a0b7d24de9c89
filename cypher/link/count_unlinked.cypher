// How many memories of scopes wait for their links.
//
// params:  scopes LIST<STRING>
// returns: waiting INTEGER
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, unlinked_since)
WHERE m.scope IN $scopes AND m.unlinked_since IS NOT NULL
RETURN count(m) AS waiting

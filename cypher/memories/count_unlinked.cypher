// Count the memories that wait for their links.
//
// params:  scopes LIST<STRING>
// returns: waiting INTEGER
// mode:    read
// choices: scopes (of some) all (of all scopes)
MATCH (m:Memory)
//= scopes
  USING INDEX m:Memory(scope, unlinked_since)
WHERE m.scope IN $scopes AND m.unlinked_since IS NOT NULL
//= all
//|   USING INDEX m:Memory(unlinked_since)
//| WHERE m.unlinked_since IS NOT NULL
//=
RETURN count(m) AS waiting

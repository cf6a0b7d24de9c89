// Count the memories that wait for links.
//
// params:  scopes LIST<STRING>, moment ZONED DATETIME
// returns: waiting INTEGER
// mode:    read
// choices: scopes (of some) all (of all scopes) since (one, if any was stored or changed after a moment)
MATCH (m:Memory)
//= scopes
  USING INDEX m:Memory(scope, unlinked_since)
WHERE m.scope IN $scopes AND m.unlinked_since IS NOT NULL
//= all since
//|   USING INDEX m:Memory(unlinked_since)
//= all
//| WHERE m.unlinked_since IS NOT NULL
//= since
//| WHERE m.unlinked_since > $moment
//| WITH m LIMIT 1
//=
RETURN count(m) AS waiting

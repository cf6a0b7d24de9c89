// How many memories of all scopes wait for their links.
//
// params:
// returns: waiting INTEGER
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(unlinked_since)
WHERE m.unlinked_since IS NOT NULL
RETURN count(m) AS waiting

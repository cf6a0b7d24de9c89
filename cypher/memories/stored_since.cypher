// A memory that waits for its links and was stored or changed after a moment; none if all is quiet.
//
// params:  moment ZONED DATETIME
// returns: uid STRING
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(unlinked_since)
WHERE m.unlinked_since > $moment
RETURN m.uid AS uid
LIMIT 1

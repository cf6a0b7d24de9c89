// Find locked memories that still have to be removed: hidden without an active erasure, or copies without original, but
// not recent ones, as an import writes them first.
//
// params:  uids LIST<STRING>, marked BOOLEAN (else: copies), before ZONED DATETIME
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE CASE WHEN $marked
  THEN m.erased_by IS NOT NULL AND NOT EXISTS { MATCH (r:Run {uid: m.erased_by}) WHERE r.state = 'running' }
  ELSE m.published_by IS NOT NULL AND NOT EXISTS { (m)-[:PUBLISHED_FROM]->(:Memory) }
    AND coalesce(m.unlinked_since < $before, true) AND coalesce(m.linked_at < $before, true) END
RETURN m.uid AS uid

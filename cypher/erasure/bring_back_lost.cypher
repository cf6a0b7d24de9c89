// Restore locked memories whose condensed memory is missing, to their places in sessions; but not recent ones, as an
// import writes them first.
//
// params:  uids LIST<STRING> (sorted), before ZONED DATETIME, active STRING, archived STRING (keys of states)
// returns: uid STRING, scope STRING, chained BOOLEAN (it has to be put into its session), by session and place
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.state = 'archived' AND m.condensed_by IS NOT NULL AND NOT EXISTS { (m)<-[:PROMOTED_FROM]-(:Memory) }
  AND coalesce(m.unlinked_since < $before, true) AND coalesce(m.linked_at < $before, true)
WITH m, m.stood_at IS NOT NULL AS chained
SET m.state = 'active', m.keys = [key IN m.keys WHERE key <> $archived] + $active,
    m.sequence = coalesce(m.stood_at, m.sequence)
REMOVE m.condensed_by, m.stood_at
RETURN m.uid AS uid, m.scope AS scope, chained
ORDER BY m.session_id, m.sequence, uid

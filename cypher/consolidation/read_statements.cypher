// Locked statements as they are now: those that still are what an agreement could rest on.
//
// params:  uids LIST<STRING>
// returns: uid STRING, revision INTEGER
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.state = 'active' AND m.erased_by IS NULL
RETURN m.uid AS uid, coalesce(m.revision, 1) AS revision

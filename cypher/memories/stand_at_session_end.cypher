// Unlink memories from their condensed memory, and append them to their locked sessions.
//
// params:  uids LIST<STRING>
// returns: placed LIST<STRING> (those that have a session)
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
REMOVE m.condensed_by, m.stood_at
WITH m
WHERE m.session_id <> '' AND m.sequence IS NULL
MATCH (s:Session {scope: m.scope, session_id: m.session_id})
SET s.last_sequence = coalesce(s.last_sequence, -1) + 1
SET m.sequence = s.last_sequence, s.tail_uid = m.uid
RETURN collect(m.uid) AS placed

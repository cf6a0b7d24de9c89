// Bring memories back that this transaction has locked, with the keys that they had.
//
// params:  uids LIST<STRING> (sorted), active STRING, hidden STRING (the keys of these states)
// returns: shown INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
SET m.state = 'active',
    m.keys = [key IN m.keys | CASE key WHEN $hidden THEN $active ELSE key END]
REMOVE m.collected_by, m.collected_at, m.collected_for, m.collected_revision
RETURN count(*) AS shown

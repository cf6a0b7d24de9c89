// Hide locked memories by a run, restore them, or release them.
//
// params:  rows LIST<MAP> {uid STRING, reason STRING} (sorted), run STRING, now ZONED DATETIME, uids LIST<STRING> (sorted),
//          active STRING, hidden STRING (the keys of these states)
// returns: marked INTEGER
// mode:    write
// choices: hidden (with a note by which run, why, and at which revision) shown (with the keys that they had) freed (what
//          was changed since, and so is no longer the run's)
//= hidden
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
SET m.state = 'hidden',
    m.keys = [key IN m.keys | CASE key WHEN $active THEN $hidden ELSE key END],
    m.collected_by = $run, m.collected_at = $now, m.collected_for = row.reason,
    m.collected_revision = coalesce(m.revision, 1)
//= shown
//| UNWIND $uids AS uid
//| MATCH (m:Memory {uid: uid})
//| SET m.state = 'active',
//|     m.keys = [key IN m.keys | CASE key WHEN $hidden THEN $active ELSE key END]
//= freed
//| MATCH (m:Memory {collected_by: $run})
//| WITH m ORDER BY m.uid
//= shown freed
//| REMOVE m.collected_by, m.collected_at, m.collected_for, m.collected_revision
//=
RETURN count(*) AS marked

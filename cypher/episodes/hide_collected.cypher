// Hide memories that this transaction has locked, and note by which run, why, and at which revision.
//
// params:  rows LIST<MAP> {uid STRING, reason STRING} (sorted), run STRING, now ZONED DATETIME,
//          active STRING, hidden STRING (the keys of these states)
// returns: hidden INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
SET m.state = 'hidden',
    m.keys = [key IN m.keys | CASE key WHEN $active THEN $hidden ELSE key END],
    m.collected_by = $run, m.collected_at = $now, m.collected_for = row.reason,
    m.collected_revision = coalesce(m.revision, 1)
RETURN count(*) AS hidden

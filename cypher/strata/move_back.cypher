// Move locked memories back to where a run found them; what was changed since stays. The anchor comes back unless
// something happened to the memory since.
//
// params:  transitions LIST<STRING>, now ZONED DATETIME, keys MAP (of states and strata)
// returns: restored INTEGER
// mode:    write
UNWIND $transitions AS uid
MATCH (t:Transition {uid: uid})
SET t.undone_at = $now
WITH t
MATCH (m:Memory {uid: t.memory_uid})
WHERE m.moved_by = t.uid AND coalesce(m.revision, 1) = t.revision
SET m.keys = [key IN m.keys | CASE key WHEN $keys[t.to_state] THEN $keys.active
                                       WHEN $keys[t.to_stratum] THEN $keys[t.from_stratum] ELSE key END],
    m.stratum = t.from_stratum, m.state = 'active', m.stratum_since = t.stratum_since,
    m.demoted_at = t.demoted_at, m.moved_by = t.moved_by,
    m.w0 = CASE m.w_at WHEN t.at THEN t.w0 ELSE m.w0 END,
    m.w_at = CASE m.w_at WHEN t.at THEN t.w_at ELSE m.w_at END
RETURN count(*) AS restored

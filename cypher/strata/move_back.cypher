// Move unchanged locked memories back to where a run found them.
//
// The decay anchor is restored if the memory was not used since. Else its use is kept: the current weight is anchored
// before it decays as in its old stratum.
//
// params:  transitions LIST<STRING>, now ZONED DATETIME, keys MAP (of states and strata),
//          fading MAP of stratum to [base decay per day, share of it that Q = 1 spares, and more]
// returns: restored INTEGER
// mode:    write
UNWIND $transitions AS uid
MATCH (t:Transition {uid: uid})
SET t.undone_at = $now
WITH t
MATCH (m:Memory {uid: t.memory_uid})
WHERE m.moved_by = t.uid AND coalesce(m.revision, 1) = t.revision AND m.state = t.to_state AND m.stratum = t.to_stratum
WITH t, m, $fading[m.stratum] AS fades, coalesce(m.w_at, m.recorded_at) AS since
WITH t, m, since, CASE WHEN since > $now THEN since ELSE $now END AS anchor,
     coalesce(m.w0, 1.0) * exp(
       coalesce(fades[0] * (1.0 - fades[1] * coalesce(m.q_value, 0.5)), 0.0)
       / (1.0 + coalesce(m.importance, 3) + log(1.0 + coalesce(m.access_count, 0)))
       * CASE WHEN since >= $now OR m.grace_until >= $now THEN 0
           ELSE (CASE WHEN m.grace_until > since THEN m.grace_until ELSE since END).epochMillis
             - $now.epochMillis END
       / 86400000.0) AS weight
SET m.keys = [key IN m.keys | CASE key WHEN $keys[t.to_state] THEN $keys.active
                                       WHEN $keys[t.to_stratum] THEN $keys[t.from_stratum] ELSE key END],
    m.stratum = t.from_stratum, m.state = 'active', m.stratum_since = t.stratum_since,
    m.demoted_at = t.demoted_at, m.moved_by = t.moved_by,
    m.w0 = CASE WHEN since = t.at AND m.w0 = t.weight THEN t.w0 ELSE weight END,
    m.w_at = CASE WHEN since = t.at AND m.w0 = t.weight THEN t.w_at ELSE anchor END
RETURN count(*) AS restored

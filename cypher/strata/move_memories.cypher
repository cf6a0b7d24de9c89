// Move locked memories to another stratum or out of recall, and store their previous state for undo.
//
// Memories changed since they were read are left. Their weight is anchored here, so that accesses and rewards since the
// read are kept.
//
// params:  rows LIST<MAP> {uid STRING, revision INTEGER, transition STRING, action STRING, reason STRING, measured FLOAT,
//          limit FLOAT, score FLOAT, from STRING, to STRING, state STRING, flagged BOOLEAN} (sorted),
//          run STRING or NULL, now ZONED DATETIME, keys MAP (of states and strata),
//          fading MAP of stratum to [base decay per day, share of it that Q = 1 spares, and more]
// returns: action STRING, moved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
WHERE m.state = 'active' AND m.stratum = row.from AND coalesce(m.revision, 1) = row.revision
WITH row, m, $fading[m.stratum] AS fades, coalesce(m.w_at, m.recorded_at) AS since
WITH row, m, CASE WHEN since > $now THEN since ELSE $now END AS anchor,
     coalesce(m.w0, 1.0) * exp(
       coalesce(fades[0] * (1.0 - fades[1] * coalesce(m.q_value, 0.5)), 0.0)
       / (1.0 + coalesce(m.importance, 3) + log(1.0 + coalesce(m.access_count, 0)))
       * CASE WHEN since >= $now OR m.grace_until >= $now THEN 0
           ELSE (CASE WHEN m.grace_until > since THEN m.grace_until ELSE since END).epochMillis
             - $now.epochMillis END
       / 86400000.0) AS weight
CREATE (t:Transition {
  uid: row.transition, tenant: m.tenant, scope: m.scope, memory_uid: m.uid, run_uid: $run, at: $now,
  action: row.action, reason: row.reason, measured: row.measured, limit: row.limit, weight: weight,
  score: row.score, flagged: row.flagged, from_stratum: row.from, to_stratum: row.to, to_state: row.state,
  revision: row.revision, w0: m.w0, w_at: m.w_at, stratum_since: m.stratum_since, demoted_at: m.demoted_at,
  moved_by: m.moved_by
})
SET m.stratum = row.to, m.state = row.state,
    m.keys = [key IN m.keys | CASE key WHEN $keys.active THEN $keys[row.state]
                                       WHEN $keys[row.from] THEN $keys[row.to] ELSE key END],
    m.stratum_since = CASE row.to WHEN row.from THEN m.stratum_since ELSE $now END,
    m.demoted_at = CASE row.action WHEN 'demote' THEN $now ELSE m.demoted_at END,
    m.w0 = weight, m.w_at = anchor, m.moved_by = row.transition
RETURN row.action AS action, count(*) AS moved
ORDER BY action

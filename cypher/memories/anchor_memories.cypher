// Save the decay anchor of memories before their decay changes, so that past decay is unaffected.
//
// The rows are sorted against deadlocks. Removing a property that no memory has locks the node only: several at once
// lock its edges first, and could deadlock with a writer that adds an edge to a locked memory.
//
// params:  rows LIST<MAP> {uid STRING; accessed: count INTEGER; linked: q_init FLOAT or NULL} (sorted), now ZONED DATETIME,
//          fading MAP of stratum to [base decay per day, share of it that Q = 1 spares, and more],
//          own MAP (the same by tenant that has set something)
// returns: anchored INTEGER
// mode:    write
// choices: accessed (their access counts grow) linked (they have their links: one that nothing has taught begins with
//          what resembles it is worth; others stay as they are)
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
//= accessed
REMOVE m.reward_uid
//= linked
//| REMOVE m.unlinked_since
//=
WITH row, m, coalesce($own[m.tenant], $fading)[m.stratum] AS fades, coalesce(m.w_at, m.recorded_at) AS since
WITH row, m, CASE WHEN since > $now THEN since ELSE $now END AS anchor,
     coalesce(m.w0, 1.0) * exp(
       coalesce(fades[0] * (1.0 - fades[1] * coalesce(m.q_value, 0.5)), 0.0)
       / (1.0 + coalesce(m.importance, 3) + log(1.0 + coalesce(m.access_count, 0)))
       * CASE WHEN since >= $now OR m.grace_until >= $now THEN 0
           ELSE (CASE WHEN m.grace_until > since THEN m.grace_until ELSE since END).epochMillis
             - $now.epochMillis END
       / 86400000.0) AS weight
//= accessed
SET m.w0 = weight, m.w_at = anchor,
    m.access_count = coalesce(m.access_count, 0) + row.count,
    m.retrieval_count = coalesce(m.retrieval_count, 0) + row.count,
    m.last_accessed_at = $now
//= linked
//| FOREACH (_ IN CASE WHEN row.q_init IS NOT NULL AND coalesce(m.q_count, 0) = 0
//|                     AND coalesce(m.q_seq, 0) = 0
//|                     AND coalesce(m.initialized_from, 'default') = 'default' THEN [1] ELSE [] END |
//|   SET m.q_init = row.q_init, m.q_value = row.q_init, m.initialized_from = 'transfer',
//|       m.w0 = weight, m.w_at = anchor)
//=
RETURN count(*) AS anchored

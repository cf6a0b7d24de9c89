// Add to the access counts of memories, in the order given (sorted, so that two writers never deadlock).
//
// What is left of each is anchored first: what was before keeps the price that it had.
//
// Taking away a property that no memory has locks the node alone: several set at once lock its edges
// before it, and whoever makes an edge to a memory that it has locked stands there the other way round.
//
// params:  rows LIST<MAP> {uid STRING, count INTEGER}, at ZONED DATETIME,
//          fading MAP of stratum to [base decay per day, share of it that Q = 1 spares, and more],
//          own MAP (the same by tenant that has set something)
// returns: counted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
REMOVE m.reward_uid
WITH row, m, coalesce($own[m.tenant], $fading)[m.stratum] AS fades,
     coalesce(m.w_at, m.recorded_at) AS since
WITH row, m, CASE WHEN since > $at THEN since ELSE $at END AS anchor,
     coalesce(m.w0, 1.0) * exp(
       coalesce(fades[0] * (1.0 - fades[1] * coalesce(m.q_value, 0.5)), 0.0)
       / (1.0 + coalesce(m.importance, 3) + log(1.0 + coalesce(m.access_count, 0)))
       * CASE WHEN since >= $at OR m.grace_until >= $at THEN 0
           ELSE (CASE WHEN m.grace_until > since THEN m.grace_until ELSE since END).epochMillis
             - $at.epochMillis END
       / 86400000.0) AS weight
SET m.w0 = weight, m.w_at = anchor,
    m.access_count = coalesce(m.access_count, 0) + row.count,
    m.retrieval_count = coalesce(m.retrieval_count, 0) + row.count,
    m.last_accessed_at = $at
RETURN count(*) AS counted

// The stored history of memories, oldest entry first, with the bases of the memories and their estimates.
//
// params:  uids LIST<STRING> (sorted), scopes LIST<STRING>
// returns: uid STRING, memory MAP of properties, entries LIST<MAP>, estimates LIST<MAP>
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.scope IN $scopes
RETURN uid, m {.q_value, .q_count, .q_left, .q_m2, .q_init, .q_base, .q_base_left, .q_base_m2,
               .q_base_count, .q_base_seq, .q_base_at} AS memory, COLLECT {
  MATCH (m)<-[r:REWARDED]-(w:Reward)
  RETURN r {.*, reward_uid: w.uid, kind: coalesce(w.kind, 'outcome'), status: w.status,
            reverted: w.reverted_at IS NOT NULL, recorded_at: w.recorded_at, task_id: w.task_id,
            task_scope: w.scope, reason: w.reason, reverts: w.reverts} AS entry
  ORDER BY r.seq
} AS entries, COLLECT {
  MATCH (m)-[:ESTIMATED]->(e:Estimate)
  RETURN e {.*} AS estimate ORDER BY estimate.context
} AS estimates
ORDER BY uid

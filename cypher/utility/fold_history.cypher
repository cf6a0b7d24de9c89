// Fold the oldest entries of memories into a checkpoint; in the order of their rewards, so that writers cannot
// deadlock.
//
// params:  rows LIST<MAP> {uid STRING, base MAP} (sorted),
//          estimates LIST<MAP> {memory_uid STRING, context STRING, base MAP},
//          entries LIST<MAP> {uid STRING, reward_uid STRING, seq INTEGER, direct INTEGER (or 0)} (by
//          reward_uid)
// returns: folded INTEGER
// mode:    write
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {uid: row.uid})
  SET m += row.base
}
CALL () {
  UNWIND $estimates AS row
  MATCH (e:Estimate {memory_uid: row.memory_uid, context: row.context})
  SET e += row.base
}
UNWIND $entries AS entry
MATCH (w:Reward {uid: entry.reward_uid})-[r:REWARDED {seq: entry.seq}]->(m:Memory {uid: entry.uid})
SET w.folded = coalesce(w.folded, 0) + entry.direct,
    w.folded_credits = coalesce(w.folded_credits, 0) + 1 - entry.direct
DELETE r
RETURN count(*) AS folded

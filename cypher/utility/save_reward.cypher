// Write a reward: its node, its updates of memories and estimates, pending credits, events and the task that it ends;
// the scopes get a new version. The decay anchor of each memory is saved first, so that past decay is unaffected. Then
// a success raises it.
//
// params:  reward MAP, rows LIST<MAP> {uid STRING, raised BOOLEAN, entry MAP, memory MAP} (sorted),
//          estimates LIST<MAP> {memory_uid STRING, context STRING, birth MAP, values MAP},
//          credits LIST<MAP>, events LIST<MAP>,
//          ends LIST<MAP> {scope STRING, task_id STRING, task MAP}, scopes LIST<STRING> (sorted),
//          now ZONED DATETIME, fading MAP of stratum to [base decay per day, share of it that Q = 1
//          spares, what a success multiplies the weight by, weight that it does not raise it above]
// returns: rewarded INTEGER
// mode:    write
CREATE (w:Reward)
SET w = $reward
WITH w
CALL (w) {
  UNWIND $rows AS row
  MATCH (m:Memory {uid: row.uid})
  WITH w, row, m, $fading[m.stratum] AS fades,
       coalesce(m.w_at, m.recorded_at) AS since
  WITH w, row, m, fades, CASE WHEN since > $now THEN since ELSE $now END AS anchor,
       coalesce(m.w0, 1.0) * exp(
         coalesce(fades[0] * (1.0 - fades[1] * coalesce(m.q_value, 0.5)), 0.0)
         / (1.0 + coalesce(m.importance, 3) + log(1.0 + coalesce(m.access_count, 0)))
         * CASE WHEN since >= $now OR m.grace_until >= $now THEN 0
             ELSE (CASE WHEN m.grace_until > since THEN m.grace_until ELSE since END).epochMillis
               - $now.epochMillis END
         / 86400000.0) AS weight
  WITH w, row, m, anchor, CASE
         // weights above the limit are kept: a success lowers nothing
         WHEN NOT row.raised OR fades IS NULL OR weight >= fades[3] THEN weight
         WHEN weight * fades[2] > fades[3] THEN fades[3]
         ELSE weight * fades[2] END AS weight
  // anchored before the new Q, which must not change past decay
  CREATE (w)-[r:REWARDED]->(m)
  SET r = row.entry, m.w0 = weight, m.w_at = anchor, m += row.memory
  RETURN count(*) AS rewarded
}
CALL () {
  UNWIND $estimates AS row
  MATCH (m:Memory {uid: row.memory_uid})
  MERGE (e:Estimate {memory_uid: row.memory_uid, context: row.context})
  ON CREATE SET e += row.birth
  SET e += row.values
  MERGE (m)-[:ESTIMATED]->(e)
}
CALL () {
  UNWIND $credits AS row
  CREATE (c:Credit)
  SET c = row
}
CALL () {
  UNWIND $events AS row
  CREATE (e:Event)
  SET e = row
}
CALL () {
  UNWIND $ends AS row
  MATCH (t:Task {scope: row.scope, task_id: row.task_id})
  SET t += row.task
}
CALL () {
  UNWIND $scopes AS scope
  MATCH (s:Scope {scope: scope})
  SET s.version = randomUUID()
}
RETURN rewarded

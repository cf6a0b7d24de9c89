// Update memories and estimates by their credits, add history entries, and remove the credits.
//
// The decay anchor of each memory is saved first, so that past decay is unaffected.
//
// params:  rows LIST<MAP> {uid STRING, memory MAP} (sorted),
//          estimates LIST<MAP> {memory_uid STRING, context STRING, birth MAP, values MAP},
//          entries LIST<MAP> {uid STRING, reward_uid STRING, entry MAP} (by reward_uid),
//          done LIST<STRING> (sorted), events LIST<MAP>, scopes LIST<STRING> (sorted),
//          now ZONED DATETIME, fading MAP of stratum to [base decay per day, share of it that Q = 1 spares, and more],
//          own MAP (the same by tenant that has set something)
// returns: applied INTEGER
// mode:    write
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {uid: row.uid})
  WITH row, m, coalesce($own[m.tenant], $fading)[m.stratum] AS fades,
       coalesce(m.w_at, m.recorded_at) AS since
  WITH row, m, CASE WHEN since > $now THEN since ELSE $now END AS anchor,
       coalesce(m.w0, 1.0) * exp(
         coalesce(fades[0] * (1.0 - fades[1] * coalesce(m.q_value, 0.5)), 0.0)
         / (1.0 + coalesce(m.importance, 3) + log(1.0 + coalesce(m.access_count, 0)))
         * CASE WHEN since >= $now OR m.grace_until >= $now THEN 0
             ELSE (CASE WHEN m.grace_until > since THEN m.grace_until ELSE since END).epochMillis
               - $now.epochMillis END
         / 86400000.0) AS weight
  // anchored before the new Q, which must not change past decay
  SET m.w0 = weight, m.w_at = anchor, m += row.memory
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
  UNWIND $entries AS row
  MATCH (w:Reward {uid: row.reward_uid})
  MATCH (m:Memory {uid: row.uid})
  CREATE (w)-[r:REWARDED]->(m)
  SET r = row.entry
}
CALL () {
  UNWIND $events AS event
  CREATE (e:Event)
  SET e = event
}
CALL () {
  UNWIND $scopes AS scope
  MATCH (s:Scope {scope: scope})
  SET s.version = randomUUID()
}
UNWIND $done AS uid
MATCH (c:Credit {uid: uid})
DELETE c
RETURN count(*) AS applied

// Give condensed memories the contextual estimates of their locked sources: means weighted by the number of rewards.
//
// They are the base of the condensed memory's own history.
//
// params:  rows LIST<MAP> {condensed STRING, sources LIST<STRING>}
// returns: inherited INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.condensed})
UNWIND row.sources AS source
MATCH (:Memory {uid: source})-[:ESTIMATED]->(e:Estimate)
WHERE e.q_count > 0
WITH m, e.context AS context, collect(e) AS held, sum(e.q_count) AS count,
     sum(e.q_value * e.q_count) / sum(e.q_count) AS mean, sum(1.0 - coalesce(e.q_left, 1.0)) AS known,
     max(e.last_reward_at) AS last
WITH m, context, count, mean, last, CASE WHEN known < 1.0 THEN 1.0 - known ELSE 0.0 END AS left,
     reduce(around = 0.0, e IN held | around + e.q_count * (coalesce(e.q_m2, 0.0) + (e.q_value - mean) ^ 2)) / count AS m2
CREATE (m)-[:ESTIMATED]->(:Estimate {
  uid: randomUUID(), tenant: m.tenant, scope: m.scope, memory_uid: m.uid, context: context, last_reward_at: last,
  q_value: mean, q_count: count, q_left: left, q_m2: m2, q_init: mean,
  q_base: mean, q_base_count: count, q_base_left: left, q_base_m2: m2
})
RETURN count(*) AS inherited

// The next clusters of a run, with those of their memories that are active still; times in milliseconds since 1970.
//
// params:  run STRING, limit INTEGER
// returns: cluster MAP of properties, sources LIST<MAP> in the order of the cluster
// mode:    read
MATCH (c:Cluster)
WHERE c.run_uid = $run AND c.position >= 0 AND c.state = 'planned'
WITH c ORDER BY c.position LIMIT $limit
UNWIND range(0, size(c.sources) - 1) AS place
OPTIONAL MATCH (m:Memory {uid: c.sources[place], state: 'active'})
WITH c, place, m ORDER BY c.position, place
RETURN c {.*} AS cluster, collect(m {
  .uid, .text, .agent_id, .channel_id, .user_id, .session_id, .sequence, .speaker, .domain, .phase, .source_type,
  .occurred_at, .tags, .metadata, .importance, .stratum, .q_value, .last_reward_at, .last_accessed_at,
  revision: coalesce(m.revision, 1), q_count: coalesce(m.q_count, 0), q_left: coalesce(m.q_left, 1.0),
  q_m2: coalesce(m.q_m2, 0.0),
  retrieval_count: coalesce(m.retrieval_count, 0), success_count: coalesce(m.success_count, 0),
  failure_count: coalesce(m.failure_count, 0), access_count: coalesce(m.access_count, 0),
  surprise: coalesce(m.surprise, 0.0), w0: coalesce(m.w0, 1.0),
  anchored_at: coalesce(m.w_at, m.recorded_at).epochMillis,
  grace_until: coalesce(m.grace_until.epochMillis, 0)
}) AS sources
ORDER BY cluster.position

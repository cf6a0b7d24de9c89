// The next clusters of a run, with those of their memories that are active still.
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
  .occurred_at, .tags, .metadata, .importance
}) AS sources
ORDER BY cluster.position

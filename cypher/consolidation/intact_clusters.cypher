// Find planned clusters whose locked memories are unchanged since the plan and not shared since, with their utility and
// use; times in milliseconds since 1970.
//
// params:  uids LIST<STRING>
// returns: uid STRING, sources LIST<MAP> in the order of the cluster, estimated BOOLEAN (in contexts), replacing BOOLEAN (or
//          replaced)
// mode:    read
UNWIND $uids AS uid
MATCH (c:Cluster {uid: uid, state: 'planned'})
UNWIND range(0, size(c.sources) - 1) AS place
OPTIONAL MATCH (m:Memory {uid: c.sources[place]})
WHERE m.state = 'active' AND m.stratum = c.from_stratum AND coalesce(m.revision, 1) = c.revisions[place]
  AND NOT EXISTS { (m)-[:SHARED_WITH|PUBLISHED_FROM]->() }
  AND NOT EXISTS { (m)-[:CONTRADICTS|VOTED]-() } AND NOT EXISTS { (m)<-[:DERIVED_FROM]-(:Memory {source_type: 'agreement'}) }
WITH c, place, m ORDER BY c.position, place
WITH c, max(EXISTS { (m)-[:ESTIMATED]->() }) AS estimated, max(EXISTS { (m)-[:SUPERSEDES]-() }) AS replacing, collect(m {
  .stratum, .importance, .q_value, .last_reward_at, .last_accessed_at,
  q_count: coalesce(m.q_count, 0), q_left: coalesce(m.q_left, 1.0), q_m2: coalesce(m.q_m2, 0.0),
  retrieval_count: coalesce(m.retrieval_count, 0), success_count: coalesce(m.success_count, 0),
  failure_count: coalesce(m.failure_count, 0), access_count: coalesce(m.access_count, 0),
  surprise: coalesce(m.surprise, 0.0), w0: coalesce(m.w0, 1.0),
  anchored_at: coalesce(m.w_at, m.recorded_at).epochMillis,
  grace_until: coalesce(m.grace_until.epochMillis, 0)
}) AS sources
WHERE size(sources) = size(c.sources)
RETURN c.uid AS uid, sources, estimated, replacing

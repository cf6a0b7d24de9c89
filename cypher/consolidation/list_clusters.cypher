// The first clusters of a run after a position.
//
// params:  run STRING, after INTEGER, limit INTEGER (but not of proposed), clusters LIST<MAP> {position INTEGER, sources
//          LIST<STRING>, context LIST<STRING>} (of proposed alone),
//          now ZONED DATETIME (of planned and proposed)
// returns: all: cluster MAP of properties; planned and proposed: cluster MAP of properties, sources LIST<MAP> in the order of the
//          cluster, context LIST<MAP>; kept: uid STRING, sources LIST<MAP> {uid STRING, revision INTEGER}
// mode:    read
// slots:   a b
// choices: all planned (with those of their memories that are active still) kept (whose sources are still kept, with
//          these) proposed (that no run has, given as maps, with what planned ones have)
CYPHER 25
//= all planned kept
MATCH (c:Cluster)
WHERE c.run_uid = $run AND c.position > $after
//= planned
//|   AND c.state = 'planned'
//= kept
//|   AND c.state IN ['condensed', 'kept']
//= all planned kept
WITH c ORDER BY c.position LIMIT $limit
//= proposed
//| UNWIND $clusters AS c
//= all
RETURN c {.*} AS cluster
ORDER BY cluster.position
//= planned proposed
//| UNWIND range(0, size(c.sources) - 1) AS place
//| OPTIONAL MATCH (m:Memory {uid: c.sources[place], state: 'active'})
//| WITH c, place, m ORDER BY c.position, place
//| WITH c, collect(m {
//|   .uid, .text, .agent_id, .channel_id, .user_id, .session_id, .sequence, .speaker, .domain, .phase, .source_type,
//|   .tags, .metadata, .importance, occurred_at: toString(m.occurred_at), q_value: coalesce(m.q_value, 0.5),
//|   surprise: coalesce(m.surprise, 0.0),
//|   vector: vector(m.embedding_a, size(m.embedding_a), FLOAT32),
//|   replaced: EXISTS { (m)<-[r:SUPERSEDES]-(:Memory {state: 'active'}) WHERE r.since <= $now }
//| }) AS sources
//| OPTIONAL MATCH (b:Memory) WHERE b.uid IN coalesce(c.context, [])
//| WITH c, sources, collect(b {.uid, .text, .speaker, .session_id, .sequence, occurred_at: toString(b.occurred_at)}) AS context
//| RETURN c {.*} AS cluster, sources, context
//| ORDER BY cluster.position
//= kept
//| UNWIND c.sources AS source
//| OPTIONAL MATCH (s:Memory {uid: source, condensed_by: $run, state: 'archived'})
//| RETURN c.uid AS uid, collect(s {.uid, revision: coalesce(s.revision, 1)}) AS sources
//=

// Clusters of a run whose sources are still kept, with these.
//
// params:  run STRING, limit INTEGER
// returns: uid STRING, sources LIST<MAP> {uid STRING, revision INTEGER}
// mode:    read
MATCH (c:Cluster)
WHERE c.run_uid = $run AND c.position >= 0 AND c.state IN ['condensed', 'kept']
WITH c ORDER BY c.position LIMIT $limit
UNWIND c.sources AS source
OPTIONAL MATCH (s:Memory {uid: source, condensed_by: $run, state: 'archived'})
RETURN c.uid AS uid, collect(s {.uid, revision: coalesce(s.revision, 1)}) AS sources

// The first clusters of a run.
//
// params:  run STRING, limit INTEGER
// returns: cluster MAP of properties
// mode:    read
MATCH (c:Cluster)
WHERE c.run_uid = $run AND c.position >= 0
RETURN c {.*} AS cluster
ORDER BY cluster.position
LIMIT $limit

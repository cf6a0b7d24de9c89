// Take clusters out of the plan of a run.
//
// params:  run STRING, limit INTEGER
// returns: dropped INTEGER
// mode:    write
MATCH (c:Cluster)
WHERE c.run_uid = $run AND c.position >= 0
WITH c LIMIT $limit
DELETE c
RETURN count(*) AS dropped

// Forget clusters that can no longer be undone, of runs that are over.
//
// params:  now ZONED DATETIME, limit INTEGER
// returns: forgotten INTEGER
// mode:    write
MATCH (c:Cluster)
WHERE c.undo_until < $now
OPTIONAL MATCH (r:Run {uid: c.run_uid})
WITH c, r
WHERE r IS NULL
   OR NOT r.state IN ['planning', 'running', 'undoing'] AND (r.purge_at IS NULL OR r.state IN ['undone', 'purged'])
WITH c LIMIT $limit
DELETE c
RETURN count(*) AS forgotten

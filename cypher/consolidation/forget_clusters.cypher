// Delete clusters.
//
// params:  now ZONED DATETIME, limit INTEGER, run STRING, uids LIST<STRING> (sorted)
// returns: forgotten INTEGER
// mode:    write
// choices: over (that can no longer be undone, of runs that are over) planned (of the plan of a run) made (that memories
//          which are about to go were made of)
//= over
MATCH (c:Cluster)
WHERE c.undo_until < $now
OPTIONAL MATCH (r:Run {uid: c.run_uid})
WITH c, r
WHERE r IS NULL
   OR NOT r.state IN ['planning', 'running', 'undoing'] AND (r.purge_at IS NULL OR r.state IN ['undone', 'purged'])
//= planned
//| MATCH (c:Cluster)
//| WHERE c.run_uid = $run AND c.position >= 0
//= over planned
WITH c LIMIT $limit
//= made
//| UNWIND $uids AS uid
//| MATCH (m:Memory {uid: uid})
//| WHERE m.made_by IS NOT NULL
//| MATCH (c:Cluster)
//| WHERE c.run_uid = m.made_by AND c.position >= 0 AND c.condensed_uid = m.uid
//=
DELETE c
RETURN count(*) AS forgotten

// Agreements that a run made, and that are as it left them.
//
// params:  scope STRING, run STRING
// returns: uid STRING, revision INTEGER
// mode:    read
MATCH (a:Memory)
WHERE a.scope = $scope AND a.external_id STARTS WITH 'agreement:'
WITH a
WHERE a.made_by = $run AND a.source_type = 'agreement' AND coalesce(a.q_count, 0) = 0
RETURN a.uid AS uid, coalesce(a.revision, 1) AS revision
ORDER BY uid

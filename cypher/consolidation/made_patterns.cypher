// Patterns that a run made, and that are as it left them.
//
// params:  scope STRING, run STRING
// returns: uid STRING, revision INTEGER
// mode:    read
MATCH (p:Pattern)
WHERE p.scope = $scope AND p.signature > '' AND p.uid > ''
WITH p
WHERE p.made_by = $run AND coalesce(p.revision, 1) = 1 AND coalesce(p.q_count, 0) = 0
  AND NOT EXISTS { (p)-[:SHARED_WITH]->() }
RETURN p.uid AS uid, coalesce(p.revision, 1) AS revision
ORDER BY uid

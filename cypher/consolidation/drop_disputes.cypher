// Remove the contradictions that a run found.
//
// params:  scope STRING, run STRING
// returns: dropped INTEGER
// mode:    write
MATCH (:Memory)-[r:CONTRADICTS]->(:Memory)
WHERE r.scope = $scope AND r.made_by = $run
DELETE r
RETURN count(*) AS dropped

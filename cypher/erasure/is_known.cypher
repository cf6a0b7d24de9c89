// Whether anything is left of a session, or of the owner of a scope beside its memories: tasks, surprises, predictions,
// and on wish its node.
//
// params:  scope STRING, session_id STRING (empty: the owner is meant), node BOOLEAN
// returns: known BOOLEAN
// mode:    read
RETURN CASE WHEN $session_id <> '' THEN EXISTS { MATCH (s:Session {scope: $scope, session_id: $session_id}) }
       ELSE $node AND EXISTS { MATCH (s:Scope {scope: $scope}) }
         OR EXISTS { MATCH (t:Task) WHERE t.scope = $scope AND t.task_id IS NOT NULL }
         OR EXISTS { MATCH (s:Surprise) WHERE s.scope = $scope AND s.at IS NOT NULL }
         OR EXISTS { MATCH (p:Prediction) WHERE p.scope = $scope AND p.prediction_id IS NOT NULL } END AS known

// Whether anything is left of a session, or of the owner of a scope beside its memories: tasks, surprises, predictions,
// those of others that are about a user, and on wish its node.
//
// params:  scope STRING, session_id STRING (empty: the owner is meant), node BOOLEAN, tenant STRING,
//          user STRING (empty: none)
// returns: known BOOLEAN
// mode:    read
RETURN CASE WHEN $session_id <> '' THEN EXISTS { MATCH (s:Session {scope: $scope, session_id: $session_id}) }
       ELSE $node AND EXISTS { MATCH (s:Scope {scope: $scope}) }
         OR EXISTS { MATCH (t:Task) WHERE t.scope = $scope AND t.task_id IS NOT NULL }
         OR EXISTS { MATCH (s:Surprise) WHERE s.scope = $scope AND s.at IS NOT NULL }
         OR EXISTS { MATCH (p:Prediction) WHERE p.scope = $scope AND p.prediction_id IS NOT NULL }
         OR $user <> '' AND (
           EXISTS { MATCH (s:Surprise) WHERE s.tenant = $tenant AND s.at IS NOT NULL AND s.user_id = $user }
           OR EXISTS { MATCH (p:Prediction)
                       WHERE p.expires_at IS NOT NULL AND p.user_id = $user AND p.tenant = $tenant }) END AS known

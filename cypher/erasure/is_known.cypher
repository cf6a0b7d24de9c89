// Whether anything is left of a session, or of the owner of a scope beside memories and rewards: tasks, surprises,
// predictions, its surprise plugin, cycles, in scopes of others surprises reported by the agent and nodes about the
// user, changes of the configuration, and optionally its node.
//
// params:  scope STRING, session_id STRING (empty: the owner is meant), node BOOLEAN, tenant STRING,
//          agent STRING (empty: none), user STRING (empty: none), actor STRING (`agent/…` or `user/…`)
// returns: known BOOLEAN
// mode:    read
RETURN CASE WHEN $session_id <> '' THEN EXISTS { MATCH (s:Session {scope: $scope, session_id: $session_id}) }
         OR EXISTS { MATCH (e:Execution) WHERE e.scope = $scope AND e.session_id = $session_id }
         OR EXISTS { MATCH (p:UserPreference) WHERE p.scope = $scope AND p.session_id = $session_id }
       ELSE $node AND EXISTS { MATCH (s:Scope {scope: $scope}) }
         OR EXISTS { MATCH (t:Task) WHERE t.scope = $scope AND t.task_id IS NOT NULL }
         OR EXISTS { MATCH (s:Surprise) WHERE s.scope = $scope AND s.at IS NOT NULL }
         OR EXISTS { MATCH (p:Prediction) WHERE p.scope = $scope AND p.prediction_id IS NOT NULL }
         OR EXISTS { MATCH (p:SurprisePlugin {scope: $scope}) }
         OR $agent <> '' AND EXISTS { MATCH (s:Surprise) USING INDEX s:Surprise(agent_id)
                                      WHERE s.agent_id = $agent AND s.tenant = $tenant }
         OR $user <> '' AND EXISTS { MATCH (s:Surprise) USING INDEX s:Surprise(user_id)
                                     WHERE s.user_id = $user AND s.tenant = $tenant }
         OR $user <> '' AND EXISTS { MATCH (p:Prediction) USING INDEX p:Prediction(user_id)
                                     WHERE p.user_id = $user AND p.tenant = $tenant }
         OR EXISTS { MATCH (c:ConfigChange) USING INDEX c:ConfigChange(actor)
                     WHERE c.actor = $actor AND c.tenant = $tenant }
         OR EXISTS { MATCH (c:Cycle) WHERE c.scope = $scope AND c.started_at IS NOT NULL AND c.uid IS NOT NULL }
         OR EXISTS { MATCH (l:CycleLearning {scope: $scope}) }
         OR $user <> '' AND EXISTS { MATCH (c:Cycle) WHERE c.user_id = $user AND c.tenant = $tenant }
         OR EXISTS { MATCH (k:KnowledgeBase {scope: $scope}) }
         OR $agent <> '' AND EXISTS { MATCH (e:Execution) WHERE e.tenant = $tenant AND e.agent_id = $agent }
         OR $user <> '' AND EXISTS { MATCH (e:Execution) WHERE e.tenant = $tenant AND e.user_id = $user }
         OR $user <> '' AND EXISTS { MATCH (i:LearnedInsight) WHERE i.tenant = $tenant AND i.user_id = $user }
         OR $user <> '' AND EXISTS { MATCH (p:UserPreference) WHERE p.tenant = $tenant AND p.user_id = $user }
         OR $user <> '' AND EXISTS { MATCH (c:Correction) WHERE c.tenant = $tenant AND c.user_id = $user }
       END AS known

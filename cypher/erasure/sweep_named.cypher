// Remove surprises that an agent reported in scopes of others, surprises and predictions there that are about a user, and
// take an owner's name off changes of the configuration.
//
// params:  tenant STRING, agent STRING (empty: none), user STRING (empty: none), actor STRING (`agent/…` or `user/…`),
//          limit INTEGER (of each)
// returns: Surprise INTEGER, Prediction INTEGER, ConfigChange INTEGER
// mode:    write
CALL () {
  MATCH (n:Surprise) WHERE n.tenant = $tenant AND n.at IS NOT NULL
  WITH n WHERE $agent <> '' AND n.agent_id = $agent OR $user <> '' AND n.user_id = $user
  LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Surprise
}
CALL () {
  MATCH (n:Prediction) WHERE n.expires_at IS NOT NULL
  WITH n WHERE $user <> '' AND n.user_id = $user AND n.tenant = $tenant
  LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Prediction
}
CALL () {
  MATCH (n:ConfigChange) WHERE n.tenant = $tenant AND n.changed_at IS NOT NULL
  WITH n WHERE n.actor = $actor
  LIMIT $limit
  SET n.actor = ''
  RETURN count(*) AS ConfigChange
}
RETURN Surprise, Prediction, ConfigChange

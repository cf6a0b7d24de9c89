// Remove surprises and predictions of an owner's scope, and in those of others surprises that the agent reported, and
// surprises and predictions that are about the user.
//
// params:  tenant STRING, scope STRING, agent STRING (empty: none), user STRING (empty: none), limit INTEGER (of each)
// returns: Surprise INTEGER, Prediction INTEGER
// mode:    write
CALL () {
  CALL () {
    MATCH (n:Surprise) WHERE n.scope = $scope AND n.at IS NOT NULL
    RETURN n
    LIMIT $limit
  UNION
    MATCH (n:Surprise) WHERE n.tenant = $tenant AND n.at IS NOT NULL
    WITH n WHERE $agent <> '' AND n.agent_id = $agent OR $user <> '' AND n.user_id = $user
    RETURN n
    LIMIT $limit
  }
  DETACH DELETE n
  RETURN count(*) AS Surprise
}
CALL () {
  CALL () {
    MATCH (n:Prediction) WHERE n.scope = $scope AND n.prediction_id IS NOT NULL
    RETURN n
    LIMIT $limit
  UNION
    MATCH (n:Prediction) WHERE n.expires_at IS NOT NULL
    WITH n WHERE $user <> '' AND n.user_id = $user AND n.tenant = $tenant
    RETURN n
    LIMIT $limit
  }
  DETACH DELETE n
  RETURN count(*) AS Prediction
}
RETURN Surprise, Prediction

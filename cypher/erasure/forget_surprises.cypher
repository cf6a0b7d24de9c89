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
    MATCH (n:Surprise)
      USING INDEX n:Surprise(agent_id)
    WHERE n.agent_id = $agent AND $agent <> '' AND n.tenant = $tenant
    RETURN n
    LIMIT $limit
  UNION
    MATCH (n:Surprise)
      USING INDEX n:Surprise(user_id)
    WHERE n.user_id = $user AND $user <> '' AND n.tenant = $tenant
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
    MATCH (n:Prediction)
      USING INDEX n:Prediction(user_id)
    WHERE n.user_id = $user AND $user <> '' AND n.tenant = $tenant
    RETURN n
    LIMIT $limit
  }
  DETACH DELETE n
  RETURN count(*) AS Prediction
}
RETURN Surprise, Prediction

// Remove surprises and predictions of an owner's scope, and in those of others surprises that the agent reported, and
// surprises, predictions and cycles that are about the user.
//
// params:  tenant STRING, scope STRING, agent STRING (empty: none), user STRING (empty: none), limit INTEGER (of each)
// returns: Surprise INTEGER, Prediction INTEGER, Cycle INTEGER
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
CALL () {
  MATCH (n:Cycle) WHERE $user <> '' AND n.user_id = $user AND n.tenant = $tenant
  WITH n LIMIT $limit
  OPTIONAL MATCH (n)-[:HAS_PHASE|HAS_STEP]->(part)
  WITH n, collect(part) AS parts
  OPTIONAL MATCH (n)<-[:PATCHES]-(p:Patch)
  WITH n, parts, collect(p) AS patches
  FOREACH (part IN parts | DETACH DELETE part)
  FOREACH (p IN patches | DETACH DELETE p)
  DETACH DELETE n
  RETURN count(*) AS Cycle
}
RETURN Surprise, Prediction, Cycle

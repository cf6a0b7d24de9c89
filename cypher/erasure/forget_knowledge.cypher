// Remove some of an owner's knowledge, and knowledge about a user in scopes of others. The base of the scope is locked
// before, so nothing is counted meanwhile.
//
// params:  tenant STRING, scope STRING, user STRING (empty: none), limit INTEGER (of each)
// returns: Execution INTEGER, Tool INTEGER, ToolContext INTEGER, ToolError INTEGER, ToolParameter INTEGER,
//          MemoryPattern INTEGER, LearnedInsight INTEGER, UserPreference INTEGER, Correction INTEGER, KnowledgeBase INTEGER
// mode:    write
CALL () {
  MATCH (n:Execution) WHERE n.scope = $scope AND n.task_id IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Execution
}
CALL () {
  MATCH (n:Tool) WHERE n.scope = $scope AND n.key IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Tool
}
CALL () {
  MATCH (n:ToolContext) WHERE n.scope = $scope AND n.key IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS ToolContext
}
CALL () {
  MATCH (n:ToolError) WHERE n.scope = $scope AND n.key IS NOT NULL
  WITH n LIMIT $limit
  CALL (n) {
    MATCH (n)<-[:RESTS_ON]-(p:Patch)
    DETACH DELETE p
  }
  DETACH DELETE n
  RETURN count(*) AS ToolError
}
CALL () {
  MATCH (n:ToolParameter) WHERE n.scope = $scope AND n.key IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS ToolParameter
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope = $scope AND n.key IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS MemoryPattern
}
CALL () {
  CALL () {
    MATCH (n:LearnedInsight) WHERE n.scope = $scope AND n.key IS NOT NULL
    RETURN n
    LIMIT $limit
  UNION
    MATCH (n:LearnedInsight) WHERE n.tenant = $tenant AND n.user_id = $user
    WITH n WHERE $user <> ''
    RETURN n
    LIMIT $limit
  }
  DETACH DELETE n
  RETURN count(*) AS LearnedInsight
}
CALL () {
  CALL () {
    MATCH (n:UserPreference) WHERE n.scope = $scope AND n.valid_to IS NOT NULL
    RETURN n
    LIMIT $limit
  UNION
    MATCH (n:UserPreference) WHERE n.tenant = $tenant AND n.user_id = $user
    WITH n WHERE $user <> ''
    RETURN n
    LIMIT $limit
  }
  DETACH DELETE n
  RETURN count(*) AS UserPreference
}
CALL () {
  CALL () {
    MATCH (n:Correction) WHERE n.scope = $scope AND n.at IS NOT NULL
    RETURN n
    LIMIT $limit
  UNION
    MATCH (n:Correction) WHERE n.tenant = $tenant AND n.user_id = $user
    WITH n WHERE $user <> ''
    RETURN n
    LIMIT $limit
  }
  DETACH DELETE n
  RETURN count(*) AS Correction
}
CALL () {
  MATCH (n:KnowledgeBase {scope: $scope})
  DELETE n
  RETURN count(*) AS KnowledgeBase
}
RETURN Execution, Tool, ToolContext, ToolError, ToolParameter, MemoryPattern, LearnedInsight, UserPreference, Correction, KnowledgeBase

// Remove executions of a locked scope and knowledge only they support; other knowledge loses their evidence. The
// next-tool model is removed, as it was trained on their words, and trained again by the worker.
//
// params:  scope STRING, task_ids LIST<STRING>, patterns LIST<MAP>, insights LIST<MAP>, errors LIST<MAP> {key STRING, gone BOOLEAN,
//          values MAP of properties}, parameters LIST<MAP> {key STRING, values MAP of properties},
//          tools LIST<STRING>, contexts LIST<STRING> (keys of those that nobody else used)
// returns: Execution INTEGER, MemoryPattern INTEGER, LearnedInsight INTEGER, ToolError INTEGER, ToolContext INTEGER, Tool INTEGER,
//          ToolParameter INTEGER, Patch INTEGER (that quotes an error of theirs)
// mode:    write
MATCH (k:KnowledgeBase {scope: $scope})
REMOVE k.model, k.model_version
WITH count(*) AS bases
CALL () {
  MATCH (n:Execution) WHERE n.scope = $scope AND n.task_id IN $task_ids
  DETACH DELETE n
  RETURN count(*) AS Execution
}
CALL () {
  UNWIND $patterns AS row
  MATCH (n:MemoryPattern {scope: $scope, key: row.key})
  SET n += row.values
  WITH n, row WHERE row.gone
  DETACH DELETE n
  RETURN count(*) AS MemoryPattern
}
CALL () {
  UNWIND $insights AS row
  MATCH (n:LearnedInsight {scope: $scope, key: row.key})
  SET n += row.values
  WITH n, row WHERE row.gone
  DETACH DELETE n
  RETURN count(*) AS LearnedInsight
}
CALL () {
  UNWIND $errors AS row
  WITH row WHERE row.gone OR row.values.evidence IS NOT NULL
  MATCH (n:ToolError {scope: $scope, key: row.key})<-[:RESTS_ON]-(p:Patch)
  WITH DISTINCT p
  DETACH DELETE p
  RETURN count(*) AS Patch
}
CALL () {
  UNWIND $errors AS row
  MATCH (n:ToolError {scope: $scope, key: row.key})
  SET n += row.values
  WITH n, row WHERE row.gone
  DETACH DELETE n
  RETURN count(*) AS ToolError
}
CALL () {
  UNWIND $parameters AS row
  MATCH (n:ToolParameter {scope: $scope, key: row.key})
  SET n += row.values
  RETURN count(*) AS parameters
}
CALL () {
  MATCH (n:ToolContext) WHERE n.scope = $scope AND n.key IN $contexts
  DETACH DELETE n
  RETURN count(*) AS ToolContext
}
CALL () {
  MATCH (n:ToolParameter) WHERE n.scope = $scope AND n.tool IN $tools
  DETACH DELETE n
  RETURN count(*) AS ToolParameter
}
CALL () {
  MATCH (n:Tool) WHERE n.scope = $scope AND n.key IN $tools
  DETACH DELETE n
  RETURN count(*) AS Tool
}
RETURN Execution, MemoryPattern, LearnedInsight, ToolError, ToolContext, Tool, ToolParameter, Patch

// Write counts of a locked scope, and their executions. New ones are linked to their tool. Lists are inside of one map,
// as Neo4j plans a statement anew for other lengths of list parameters.
//
// params:  scope STRING, saved MAP {state MAP, executions LIST<MAP> (task_id STRING, values MAP), tools, insights LIST<MAP> (key STRING,
//          values MAP), contexts, errors, parameters LIST<MAP> (key STRING, tool STRING, new BOOLEAN, values MAP), patterns LIST<MAP>
//          (key STRING, tools LIST<STRING> of a new one, values MAP)}
// returns: saved INTEGER
// mode:    write
MATCH (k:KnowledgeBase {scope: $scope})
SET k += $saved.state
WITH count(*) AS bases
CALL () {
  UNWIND $saved.executions AS row
  MERGE (n:Execution {scope: $scope, task_id: row.task_id})
  SET n += row.values
  RETURN count(*) AS executions
}
CALL () {
  UNWIND $saved.tools AS row
  MERGE (n:Tool {scope: $scope, key: row.key})
  SET n += row.values
  RETURN count(*) AS tools
}
CALL () {
  UNWIND $saved.contexts AS row
  MERGE (n:ToolContext {scope: $scope, key: row.key})
  SET n += row.values
  WITH n, row WHERE row.new
  MATCH (t:Tool {scope: $scope, key: row.tool})
  MERGE (t)-[:USED_IN]->(n)
  RETURN count(*) AS contexts
}
CALL () {
  UNWIND $saved.errors AS row
  MERGE (n:ToolError {scope: $scope, key: row.key})
  SET n += row.values
  WITH n, row WHERE row.new
  MATCH (t:Tool {scope: $scope, key: row.tool})
  MERGE (t)-[:FAILED_WITH]->(n)
  RETURN count(*) AS errors
}
CALL () {
  UNWIND $saved.parameters AS row
  MERGE (n:ToolParameter {scope: $scope, key: row.key})
  SET n += row.values
  WITH n, row WHERE row.new
  MATCH (t:Tool {scope: $scope, key: row.tool})
  MERGE (t)-[:TAKES]->(n)
  RETURN count(*) AS parameters
}
CALL () {
  UNWIND $saved.patterns AS row
  MERGE (n:MemoryPattern {scope: $scope, key: row.key})
  SET n += row.values
  WITH n, row
  UNWIND row.tools AS tool
  MATCH (t:Tool {scope: $scope, key: tool})
  MERGE (n)-[:CALLS]->(t)
  RETURN count(*) AS patterns
}
CALL () {
  UNWIND $saved.insights AS row
  MERGE (n:LearnedInsight {scope: $scope, key: row.key})
  SET n += row.values
  RETURN count(*) AS insights
}
RETURN bases + executions + tools + contexts + errors + parameters + patterns + insights AS saved

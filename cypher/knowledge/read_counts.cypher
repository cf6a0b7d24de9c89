// What a locked scope has counted of some keys, and which of some tasks it knows.
//
// params:  scope STRING, task_ids LIST<STRING>, tools LIST<STRING>, contexts LIST<STRING>, errors LIST<STRING>,
//          parameters LIST<STRING>, patterns LIST<STRING> (keys), lengths LIST<INTEGER> (of query patterns over several
//          queries), used LIST<STRING> (uids of patterns and insights), limit INTEGER (general patterns at most)
// returns: state MAP, known LIST<MAP> {task_id STRING, report STRING}, tools LIST<MAP>, contexts LIST<MAP>, errors LIST<MAP>,
//          parameters LIST<MAP>, patterns LIST<MAP>, insights LIST<MAP> (properties)
// mode:    read
MATCH (k:KnowledgeBase {scope: $scope})
CALL () {
  MATCH (n:Execution) WHERE n.scope = $scope AND n.task_id IN $task_ids
  RETURN collect({task_id: n.task_id, report: n.report}) AS known
}
CALL () {
  MATCH (n:Tool) WHERE n.scope = $scope AND n.key IN $tools
  RETURN collect(n {.*}) AS tools
}
CALL () {
  MATCH (n:ToolContext) WHERE n.scope = $scope AND n.key IN $contexts
  RETURN collect(n {.*}) AS contexts
}
CALL () {
  MATCH (n:ToolError) WHERE n.scope = $scope AND n.key IN $errors
  RETURN collect(n {.*}) AS errors
}
CALL () {
  MATCH (n:ToolParameter) WHERE n.scope = $scope AND n.key IN $parameters
  RETURN collect(n {.*}) AS parameters
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope = $scope AND n.key IN $patterns
  RETURN collect(n {.*}) AS named
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope = $scope AND n.general = true AND n.length IN $lengths
  WITH n ORDER BY n.uses DESC, n.key LIMIT $limit
  RETURN collect(n {.*}) AS general
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.uid IN $used AND n.scope = $scope
  RETURN collect(n {.*}) AS followed
}
CALL () {
  MATCH (n:LearnedInsight) WHERE n.uid IN $used AND n.scope = $scope
  RETURN collect(n {.*}) AS insights
}
RETURN k {.*} AS state, known, tools, contexts, errors, parameters, named + general + followed AS patterns, insights

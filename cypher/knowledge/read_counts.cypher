// Lock a scope's base by a first write, and read its counts of some keys, and which of some tasks are known. Times are
// texts, as the driver is far slower with its own type. Lists are inside of one map, as Neo4j plans a statement anew
// for other lengths of list parameters.
//
// params:  scope STRING, tenant STRING, beginning ZONED DATETIME (when no job has run yet), limit INTEGER (general patterns at most),
//          asked MAP {task_ids LIST<STRING>, tools LIST<STRING>, contexts LIST<STRING>, errors LIST<STRING>, parameters LIST<STRING>,
//          patterns LIST<STRING> (keys), lengths LIST<INTEGER> (of query patterns over several queries),
//          templates LIST<LIST<STRING>> (words of queries that those have to fit), any_template BOOLEAN (those need not), used LIST<STRING> (uids of
//          patterns and insights)}
// returns: state MAP (without the model), known LIST<MAP> {task_id STRING, report STRING}, tools LIST<MAP>, contexts LIST<MAP>,
//          errors LIST<MAP>, parameters LIST<MAP>, patterns LIST<MAP>, insights LIST<MAP> (properties)
// mode:    write
MERGE (k:KnowledgeBase {scope: $scope})
ON CREATE SET k.tenant = $tenant, k.executions = 0, k.steps = 0, k.reused = 0, k.failed_steps = 0,
  k.patterns_at = $beginning, k.tools_at = $beginning, k.insights_at = $beginning
SET k.asked_at = datetime.realtime()
WITH k
CALL () {
  MATCH (n:Execution) WHERE n.scope = $scope AND n.task_id IN $asked.task_ids
  RETURN collect({task_id: n.task_id, report: n.report}) AS known
}
CALL () {
  MATCH (n:Tool) WHERE n.scope = $scope AND n.key IN $asked.tools
  RETURN collect(n {.*, first_seen: toString(n.first_seen), last_used: toString(n.last_used)}) AS tools
}
CALL () {
  MATCH (n:ToolContext) WHERE n.scope = $scope AND n.key IN $asked.contexts
  RETURN collect(n {.*, first_seen: toString(n.first_seen), last_used: toString(n.last_used)}) AS contexts
}
CALL () {
  MATCH (n:ToolError) WHERE n.scope = $scope AND n.key IN $asked.errors
  RETURN collect(n {.*, first_seen: toString(n.first_seen), last_used: toString(n.last_used)}) AS errors
}
CALL () {
  MATCH (n:ToolParameter) WHERE n.scope = $scope AND n.key IN $asked.parameters
  RETURN collect(n {.*, first_seen: toString(n.first_seen), last_used: toString(n.last_used)}) AS parameters
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope = $scope AND n.key IN $asked.patterns
  RETURN collect(n {.*, first_seen: toString(n.first_seen), last_used: toString(n.last_used)}) AS named
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope = $scope AND n.general = true AND n.length IN $asked.lengths
  WITH n, split(n.pattern, '_') AS places ORDER BY n.uses DESC, n.key LIMIT $limit
  WHERE $asked.any_template OR any(words IN $asked.templates WHERE size(words) = size(places)
    AND all(i IN range(0, size(words) - 1) WHERE places[i] IN ['*', words[i]]))
  RETURN collect(n {.*, first_seen: toString(n.first_seen), last_used: toString(n.last_used)}) AS general
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.uid IN $asked.used AND n.scope = $scope
  RETURN collect(n {.*, first_seen: toString(n.first_seen), last_used: toString(n.last_used)}) AS followed
}
CALL () {
  MATCH (n:LearnedInsight) WHERE n.uid IN $asked.used AND n.scope = $scope
  RETURN collect(n {.*}) AS insights
}
RETURN k {.*, model: null} AS state, known, tools, contexts, errors, parameters, named + general + followed AS patterns, insights
